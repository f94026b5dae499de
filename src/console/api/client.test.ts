// @vitest-environment jsdom
import "./jitless.ts";
import { HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { getAgent, listAgents, updateAgent } from "../../contract/agents.ts";
import { fieldCapabilities } from "../../contract/console.ts";
import { endpoints } from "../../contract/endpoints.ts";
import { downloadFiles } from "../../contract/files.ts";
import { isInputHeader } from "../../contract/input-headers.ts";
import { startAgent } from "../../contract/interactions.ts";
import { listMcpTools } from "../../contract/mcp.ts";
import { getRunDetails, killPipeline } from "../../contract/run.ts";
import { listRuns } from "../../contract/runs.ts";
import { getSession } from "../../contract/sessions.ts";
import { startPipeline } from "../../contract/start-pipeline.ts";
import { listTeams } from "../../contract/teams.ts";
import { aDoneRun, aRun } from "../../testing/builders.ts";
import { anyJson, never } from "../../testing/msw.ts";
import { Refusal } from "../../testing/msw-state.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { signedInWheelhouse, testWheelhouse } from "../../testing/test-wheelhouse.ts";
import { Capabilities } from "./capabilities.ts";
import { call } from "./client.ts";
import { describeError } from "./describe-error.ts";
import { ConsoleError, isCredentialError, isForbidden, isNotFound, isRetryable } from "./errors.ts";

const service = mockServicePerTest();

async function failureOf(promise: Promise<unknown>): Promise<ConsoleError> {
  const error = await promise.then(
    () => new Error("It did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof ConsoleError) return error;
  throw error;
}

describe("a call", () => {
  it("sends the key as a header, and the user's name with a personal key only", async () => {
    const { api } = signedInWheelhouse();
    await call(api, listTeams, {});
    const { headers, url } = service().seen(listTeams)[0] ?? {};
    expect(headers?.get("authorization")).toBe("Bearer test-key-of-ada-0123456789");
    expect(headers?.get("x-auth-key")).toBe("user_ada");
    expect(url?.search).toBe("");

    const team = { kind: "team", secret: "team-key", userId: "user_ada", teamId: "team_harbor" } as const;
    await call(signedInWheelhouse({ credential: team }).api, listTeams, {});
    expect(service().seen(listTeams)[1]?.headers.has("x-auth-key")).toBe(false);
  });

  it("sends no header of its own that could become an input of a flow", async () => {
    const { api } = signedInWheelhouse();
    const query = { saved_item_id: "flow_hello" };
    await call(api, startPipeline, { query, body: {} }, { idempotencyKey: "once", poll: true });
    const [sent] = service().seen(startPipeline);
    expect([...(sent?.headers.keys() ?? [])].filter(isInputHeader)).toEqual([]);
  });

  it("C-36: counts from when it leaves for the service, after its wait for another tab", async () => {
    const { api } = signedInWheelhouse();
    const seen: string[] = [];
    const traffic = {
      enter: async () => () => {},
      sent: () => void seen.push("sent"),
      hold: api.traffic.hold,
    };
    await call(
      { ...api, traffic, begin: async () => void seen.push("begun") },
      listTeams,
      {},
      { poll: true },
    );
    expect(seen).toEqual(["begun", "sent"]);
    expect(service().seen(listTeams)).toHaveLength(1);
  });

  it("C-25: never writes the key into an address", async () => {
    const { api } = signedInWheelhouse();
    await call(api, startPipeline, { query: { saved_item_id: "flow_hello" }, body: { name: "Ada" } });
    for (const { url } of service().requests) {
      expect(url.href).not.toContain("test-key");
      expect(url.searchParams.has("api_key")).toBe(false);
    }
  });

  it("encodes what goes into the address and leaves out what is not given", async () => {
    const { api } = signedInWheelhouse();
    service().override(getRunDetails, new Refusal("not_found"));
    await failureOf(call(api, getRunDetails, { params: { run_id: "a/b ?ü" } }));
    expect(service().requests[0]?.url.pathname).toBe("/api/v1/runs/a%2Fb%20%3F%C3%BC");
    await call(api, listAgents, { query: { page_size: 20, search: "a&b=c", has_triggers: true } });
    expect(service().seen(listAgents)[0]?.url.search).toBe(
      "?page_size=20&search=a%26b%3Dc&has_triggers=true",
    );
    await expect(call(api, getRunDetails, { params: { run_id: ".." } })).rejects.toThrow(TypeError);
  });

  it("marks polls, and starts with the key that keeps them from starting twice", async () => {
    const { api } = signedInWheelhouse();
    await call(api, listRuns, {}, { poll: true });
    await call(api, listRuns, {});
    expect(
      service()
        .seen(listRuns)
        .map(({ headers }) => headers.get("x-wheelhouse-poll")),
    ).toEqual(["1", null]);
    const input = { query: { saved_item_id: "flow_hello" }, body: {} };
    await call(api, startPipeline, input, { idempotencyKey: "k1" });
    expect(service().seen(startPipeline)[0]?.headers.get("idempotency-key")).toBe("k1");
  });

  it("brings the request id, the times and the etag with the answer", async () => {
    const { api } = signedInWheelhouse();
    const answer = await call(api, listTeams, {});
    expect(answer.data.teams).toEqual([{ id: "team_harbor", name: "Harbor" }]);
    expect(answer.requestId).toMatch(/^req_/);
    expect(answer.etag).not.toBeNull();
    expect(Math.abs((answer.serverDate ?? 0) - answer.receivedAt)).toBeLessThan(5_000);
  });

  it("asks with the etag that it has, and gives the same answer back when nothing changed", async () => {
    const { api } = signedInWheelhouse();
    const first = await call(api, listTeams, {});
    expect(await call(api, listTeams, {}, { previous: first })).toBe(first);
    service().state.teams = [];
    const second = await call(api, listTeams, {}, { previous: first });
    expect(second.data.teams).toEqual([]);
  });

  it("gives a zip as a file and nothing for an answer without a body", async () => {
    const { api } = signedInWheelhouse();
    service().override(
      downloadFiles,
      new HttpResponse("PK", { headers: { "content-type": "application/zip" } }),
    );
    const input = { body: { file_names: ["a.txt"], run_id: "r", user_id: "user_ada" } };
    const { data } = await call(api, downloadFiles, input);
    expect(await data.text()).toBe("PK");
  });
});

describe("a refusal", () => {
  it("is understood in both shapes", async () => {
    const { api } = signedInWheelhouse();
    service().override(startAgent, new Refusal("interaction_not_in_terminal_state"));
    const start = { body: { gummie_id: "a", message: "hi", user_id: "user_ada" } };
    const flat = await failureOf(call(api, startAgent, start));
    expect(flat.failure).toMatchObject({
      kind: "http",
      status: 409,
      code: "interaction_not_in_terminal_state",
    });
    expect(flat.requestId).toMatch(/^req_/);

    service().override(listAgents, new Refusal("invalid_page_size", { param: "page_size" }));
    const nested = await failureOf(call(api, listAgents, {}));
    expect(nested.failure).toMatchObject({
      kind: "http",
      status: 400,
      code: "invalid_page_size",
      param: "page_size",
    });
  });

  it("says what kind it is", async () => {
    const { api } = signedInWheelhouse();
    service().override(getAgent, new Refusal("forbidden"), { times: 1 });
    const forbidden = await failureOf(call(api, getAgent, { params: { agent_id: "x" } }));
    expect([isForbidden(forbidden), isCredentialError(forbidden)]).toEqual([true, false]);
    const missing = await failureOf(call(api, getAgent, { params: { agent_id: "x" } }));
    expect([isNotFound(missing), isRetryable(missing)]).toEqual([true, false]);
  });

  it("of MCP servers that do not answer says nothing against the service, however many they are", async () => {
    const { api } = signedInWheelhouse();
    service().override(listMcpTools, new Refusal("tool_call_failed"));
    for (const server_id of ["a", "b", "c", "d", "e", "f"]) {
      const error = await failureOf(call(api, listMcpTools, { params: { server_id }, query: {} }));
      expect([error.status, isRetryable(error)]).toEqual([502, false]);
    }
    expect(api.traffic.hold.get()).toBeNull();
  });

  it.each([
    ["30", 30_000],
    ["0", 1_000],
    ["-5", 1_000],
    ["1e9", 600_000],
    ["1000000000", 600_000],
    ["soon", null],
    [null, null],
  ])("C-24: reads Retry-After %s", async (header, expected) => {
    const { api } = signedInWheelhouse();
    const reply = () =>
      new Response("{}", { status: 429, headers: header === null ? {} : { "retry-after": header } });
    service().override(listTeams, reply);
    expect((await failureOf(call(api, listTeams, {}))).retryAfterMs).toBe(expected);
  });

  it("C-24: reads Retry-After as a date, by the service's own clock", async () => {
    const { api } = signedInWheelhouse();
    const headers = { "retry-after": "Fri, 20 Nov 2026 08:15:30 GMT", date: "Fri, 20 Nov 2026 08:15:00 GMT" };
    service().override(listTeams, () => new Response("{}", { status: 503, headers }));
    expect((await failureOf(call(api, listTeams, {}))).retryAfterMs).toBe(30_000);
  });
});

describe("C-01: an answer without what was asked for", () => {
  it.each([{}, { agent: null }, { agent: [] }, { agent: "text" }])(
    "%j is a failure, not a wait",
    async (json) => {
      const { api } = signedInWheelhouse();
      service().override(getAgent, () => Response.json(json));
      const error = await failureOf(call(api, getAgent, { params: { agent_id: "agent_clerk" } }));
      expect(error.failure).toMatchObject({ kind: "contract", path: "" });
    },
  );

  it("is an empty list where a list was asked for, and the change that was made where one was", async () => {
    const { api } = signedInWheelhouse();
    service().override(listTeams, () => Response.json({}));
    expect((await call(api, listTeams, {})).data).toEqual({});
    service().override(updateAgent, () => Response.json({}));
    const change = { params: { agent_id: "agent_clerk" }, body: { name: "Clerk" } };
    expect((await call(api, updateAgent, change)).data).toEqual({});
  });
});

describe("C-13: what is no answer of the service", () => {
  const html = { "content-type": "text/html", "x-request-id": "req_proxy" };
  it.each([
    ["a page with status 200", () => new Response("<!doctype html><p>Sign in", { headers: html }), "html"],
    [
      "a page with status 502",
      () => new Response("<html>Bad gateway", { status: 502, headers: html }),
      "html",
    ],
    ["an empty answer", () => new Response("", { headers: { "x-request-id": "req_proxy" } }), "empty"],
    [
      "JSON that was cut off",
      () => new Response('{"teams":[{"id', { headers: { "x-request-id": "req_proxy" } }),
      "cut-off",
    ],
    ["something else", () => new Response("OK", { headers: { "x-request-id": "req_proxy" } }), "not-json"],
  ])("%s", async (_what, reply, impostor) => {
    const { api } = signedInWheelhouse();
    service().override(listTeams, reply);
    const error = await failureOf(call(api, listTeams, {}));
    expect(error.failure).toMatchObject({ kind: "not-the-service", impostor, requestId: "req_proxy" });
  });

  const json = { "content-type": "application/json" };
  it.each<[string, string, ResponseInit, string | null, string | null]>([
    [
      "nested",
      '{"error":{"code":"unavailable","message":"Not now."}}',
      { headers: json },
      "unavailable",
      "Not now.",
    ],
    ["flat", '{"error":"unavailable","message":"Not now."}', { headers: json }, "unavailable", "Not now."],
    [
      "called a page by its content type",
      '{"error":{"code":"unavailable","message":"Not now."}}',
      { headers: html },
      "unavailable",
      "Not now.",
    ],
    ["without a content type", '{"error":"unavailable"}', {}, "unavailable", "unavailable"],
    ["of a framework", '{"detail":"Not now."}', { headers: json }, "unavailable", "Not now."],
    ["of no known form", '{"ok":false}', { headers: json }, null, null],
    [
      "a line of text",
      "Not now",
      { headers: { "content-type": "text/plain; charset=utf-8" } },
      null,
      "Not now",
    ],
    ["empty", "", { headers: json }, null, null],
  ])("an error of the service is the service's own: %s", async (_what, body, init, code, message) => {
    const { api } = signedInWheelhouse();
    service().override(listTeams, () => new Response(body, { status: 503, ...init }));
    const error = await failureOf(call(api, listTeams, {}));
    expect(error.failure).toMatchObject({ kind: "http", status: 503, code, message });
    expect(JSON.stringify(describeError(error))).not.toMatch(/proxy|in between/);
  });

  it("a redirect is not followed with the key", async () => {
    const { api } = signedInWheelhouse();
    const headers = { location: "http://localhost:3000/api/v1/models" };
    service().override(listTeams, () => new Response(null, { status: 302, headers }));
    const error = await failureOf(call(api, listTeams, {}));
    expect(error.failure).toMatchObject({ kind: "not-the-service", impostor: "redirect" });
    expect(service().requests).toHaveLength(1);
  });

  it("JSON with a byte order mark and another content type is read all the same", async () => {
    const { api } = signedInWheelhouse();
    service().override(
      listTeams,
      () => new Response('\uFEFF{"teams":[]}', { headers: { "content-type": "text/plain" } }),
    );
    expect((await call(api, listTeams, {})).data.teams).toEqual([]);
  });

  it("an answer of another type is a broken contract that names the endpoint", async () => {
    const { api } = signedInWheelhouse();
    service().override(listTeams, () => anyJson([1, 2]));
    const error = await failureOf(call(api, listTeams, {}));
    expect([error.kind, error.endpoint]).toEqual(["contract", "listTeams"]);
  });

  it("C-03: a key named __proto__ reaches nobody, however it is written", async () => {
    const { api } = signedInWheelhouse();
    const text =
      '{"teams":[{"id":"t","name":"T","\\u005f_proto__":{"name":"evil"},"__proto__":{"polluted":1}}]}';
    service().override(listTeams, () => new Response(text));
    const { data } = await call(api, listTeams, {});
    expect(Object.keys(data.teams?.[0] ?? {})).toEqual(["id", "name"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("C-20: the network", () => {
  it("says that nothing answered", async () => {
    const { api } = signedInWheelhouse();
    service().override(listTeams, () => HttpResponse.error());
    const error = await failureOf(call(api, listTeams, {}));
    expect([error.kind, error.status, isRetryable(error)]).toEqual(["network", null, true]);
  });

  it("gives up after its time, and says so", async () => {
    const { api } = signedInWheelhouse();
    service().override(listTeams, never);
    const error = await failureOf(call(api, listTeams, {}, { timeoutMs: 20 }));
    expect(error.failure).toEqual({ kind: "timeout", afterMs: 20 });
  });

  it("C-31: a call that is no longer wanted ends with the reason it was given", async () => {
    const { api } = signedInWheelhouse();
    service().override(listTeams, never);
    const controller = new AbortController();
    const pending = call(api, listTeams, {}, { signal: controller.signal });
    controller.abort(new Error("left the page"));
    await expect(pending).rejects.toThrow("left the page");
  });

  it("never sends a write a second time by itself", async () => {
    const { api } = signedInWheelhouse();
    service().state.runs = [aRun()];
    service().override(killPipeline, () => HttpResponse.error());
    await failureOf(call(api, killPipeline, { body: { run_id: "run_hello", user_id: "user_ada" } }));
    expect(service().seen(killPipeline)).toHaveLength(1);
    expect(aDoneRun().state).toBe("DONE");
  });
});

describe("what a service has beyond the core", () => {
  it("is remembered for a stranger's service after one try, and ours alone is never tried", async () => {
    const { api } = signedInWheelhouse({ known: { named: null, tried: {} } });
    expect([api.capabilities.can("teams"), api.capabilities.can("runs")]).toEqual([true, false]);
    service().override(listTeams, () => new Response("no such page", { status: 404 }), { times: 1 });
    await failureOf(call(api, listTeams, {}));
    expect(api.capabilities.can("teams")).toBe(false);
    await call(api, listTeams, {});
    expect(api.capabilities.can("teams")).toBe(true);
  });

  it("is not doubted because one object is not there", async () => {
    const { api } = signedInWheelhouse({ known: { named: null, tried: { live_messages: true } } });
    service().override(getSession, new Refusal("not_found"));
    await failureOf(call(api, getSession, { params: { session_id: "gone" } }));
    expect(api.capabilities.can("live_messages")).toBe(true);
  });

  it("is given up for this page load when the first try finds nothing, and tried again after a reload", async () => {
    sessionStorage.clear();
    const { api } = signedInWheelhouse({ known: { named: null, tried: { teams: true } } });
    service().override(getSession, new Refusal("not_found"));
    await failureOf(call(api, getSession, { params: { session_id: "any" } }));
    expect(api.capabilities.can("live_messages")).toBe(false);
    const reloaded = testWheelhouse();
    await reloaded.session.start();
    expect(reloaded.api.get()?.capabilities.known.get().tried).toEqual({ teams: true });
  });

  it("knows which extensions are ours alone, as the table says", () => {
    const { can } = new Capabilities();
    for (const { capability, tier } of Object.values(endpoints)) {
      if (capability !== null) expect(can(capability), capability).toBe(tier === "public");
    }
    for (const name of fieldCapabilities) expect(can(name), name).toBe(false);
  });
});
