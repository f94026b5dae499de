// @vitest-environment jsdom
import "../../api/jitless.ts";
import { HttpResponse } from "msw";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAgents } from "../../../contract/agents.ts";
import { getCapabilities } from "../../../contract/console.ts";
import { createConsoleSession } from "../../../contract/console-session.ts";
import { listModels } from "../../../contract/models.ts";
import { getRun } from "../../../contract/run.ts";
import { listTeams } from "../../../contract/teams.ts";
import { never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { testWheelhouse } from "../../../testing/test-wheelhouse.ts";
import { readConnections } from "./connections.ts";
import type { Check, SignInDraft } from "./sign-in.ts";

const service = mockServicePerTest();
const connection = { name: "Wheelhouse", path: "/api/v1", kind: "own" } as const;
const draft: SignInDraft = {
  connection,
  credential: { kind: "personal", secret: "a-key", userId: "user_ada", teamId: null },
  thisTabOnly: false,
};

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => history.replaceState(null, "", "/"));

async function check(given: SignInDraft = draft) {
  const seen: (readonly Check[])[] = [];
  const signedIn = await testWheelhouse().check(given, { onChecks: (checks) => seen.push(checks) });
  const last = Object.fromEntries((seen.at(-1) ?? []).map(({ name, status }) => [name, status]));
  return { signedIn, last, seen };
}

describe("the checks of a sign-in", () => {
  it("pass one after the other, and give what is signed in with", async () => {
    const { signedIn, last, seen } = await check();
    expect(last).toEqual({ answers: "passed", accepted: "passed", teams: "passed", abilities: "passed" });
    expect(seen[0]?.map(({ status }) => status)).toEqual(["waiting", "waiting", "waiting", "waiting"]);
    expect(seen[1]?.[0]?.status).toBe("running");
    expect(signedIn?.teams).toEqual([{ id: "team_harbor", name: "Harbor" }]);
    expect(signedIn?.known.named).toContain("runs");
  });

  it("send no key before the connection has answered as the service", async () => {
    service().override(
      listModels,
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    );
    const { signedIn, last } = await check();
    expect([signedIn, last]).toEqual([
      null,
      { answers: "failed", accepted: "waiting", teams: "waiting", abilities: "waiting" },
    ]);
    expect(service().requests.map(({ headers }) => headers.get("authorization"))).toEqual([null]);
  });

  it("tell a key that is not known from one that may not act for this user", async () => {
    service().state.keys = ["another"];
    const unknown = await check();
    expect(unknown.last).toMatchObject({ answers: "passed", accepted: "failed", teams: "waiting" });
    expect(unknown.seen.at(-1)?.[1]?.problem).toMatchObject({ kind: "refused", error: { status: 401 } });

    service().state.keys = null;
    service().override(getRun, new Refusal("forbidden"));
    const foreign = await check();
    expect(foreign.last).toMatchObject({ accepted: "passed", teams: "failed" });
    expect(foreign.seen.at(-1)?.[3]?.problem).toMatchObject({ kind: "membership", error: { status: 403 } });
  });

  it("say what a plan below Pro means", async () => {
    service().override(listAgents, new Refusal("plan_upgrade_required"));
    const { seen } = await check();
    expect(seen.at(-1)?.[1]?.problem).toMatchObject({
      kind: "refused",
      error: { code: "plan_upgrade_required" },
    });
  });

  it("pass over what a stranger's service cannot tell", async () => {
    service().state.capabilities = null;
    service().override(listTeams, () => new Response("Not found", { status: 404 }));
    const { signedIn, last } = await check();
    expect(last).toEqual({ answers: "passed", accepted: "passed", teams: "skipped", abilities: "skipped" });
    expect(signedIn).toMatchObject({ teams: null, known: { named: null, tried: { teams: false } } });
  });

  it("are given up when the person changes what was typed", async () => {
    const controller = new AbortController();
    service().override(getCapabilities, async () => {
      controller.abort(new Error("typed on"));
      return new Refusal("not_found");
    });
    const checking = testWheelhouse().check(draft, { signal: controller.signal, onChecks: () => {} });
    await expect(checking).rejects.toThrow("typed on");
  });
});

describe("a connection", () => {
  it("answers when it refuses, and does not when nothing or an upstream error comes", async () => {
    expect(await testWheelhouse().probe(connection)).toMatchObject({ answers: true, error: null });
    service().override(listModels, new Refusal("upstream_failed"), { times: 1 });
    expect(await testWheelhouse().probe(connection)).toMatchObject({ answers: false });
    service().override(listModels, () => HttpResponse.error(), { times: 1 });
    expect(await testWheelhouse().probe(connection)).toMatchObject({
      answers: false,
      error: { kind: "network" },
    });
  });

  it("can only be one that the process offers below its own origin", () => {
    const page = (content: string) => {
      const made = document.implementation.createHTMLDocument();
      const meta = made.createElement("meta");
      meta.name = "wheelhouse-connections";
      meta.content = content;
      made.head.append(meta);
      return readConnections(made).map(({ path }) => path);
    };
    const up = { name: "Halden", path: "/upstream/halden/api/v1", kind: "upstream" };
    expect(page(JSON.stringify([connection, up]))).toEqual(["/api/v1", "/upstream/halden/api/v1"]);
    for (const path of [
      "https://evil.example/api/v1",
      "//evil.example/api/v1",
      "api/v1",
      "/\\evil/api/v1",
      "/x",
      "",
    ]) {
      expect(page(JSON.stringify([{ name: "x", path, kind: "own" }])), path).toEqual(["/api/v1"]);
    }
    expect(page("__CONNECTIONS__")).toEqual(["/api/v1"]);
    expect(page("[]")).toEqual(["/api/v1"]);
  });
});

describe("a one-time sign-in link", () => {
  const answer = {
    access_token: "token-from-link",
    expires_at: "2026-11-20T16:15:00.000Z",
    user: { id: "user_ada", first_name: "Ada", last_name: "Lovelace", email: null },
    teams: [{ id: "team_harbor", name: "Harbor" }],
  };

  it("signs in, and leaves the address at once", async () => {
    history.replaceState(null, "", "/runs?state=FAILED#sign-in=abc%2F1");
    service().override(createConsoleSession, answer);
    const one = testWheelhouse();
    const started = one.start();
    expect(location.href).toBe("http://localhost:3000/runs?state=FAILED");
    expect(await started).toEqual({ kind: "ordinary" });
    expect(service().seen(createConsoleSession)[0]?.body).toEqual({ token: "abc/1" });
    expect(service().seen(createConsoleSession)[0]?.headers.has("authorization")).toBe(false);
    expect(one.session.state.get()).toMatchObject({
      status: "signed-in",
      as: { userName: "Ada Lovelace", credential: { kind: "token", userId: "user_ada" } },
    });
    expect(one.api.get()?.capabilities.can("runs")).toBe(true);
  });

  it("shows the page before the service says what it can do, where the page names that already", async () => {
    const meta = document.createElement("meta");
    meta.name = "wheelhouse-connections";
    meta.content = JSON.stringify([{ ...connection, extensions: ["runs"] }]);
    document.head.append(meta);
    history.replaceState(null, "", "/runs#sign-in=abc");
    service().override(createConsoleSession, answer);
    service().override(getCapabilities, never);
    const one = testWheelhouse();
    expect(await one.start()).toEqual({ kind: "ordinary" });
    const { can } = one.api.get()?.capabilities ?? {};
    expect([can?.("runs"), can?.("sessions")]).toEqual([true, false]);
    meta.remove();
  });

  it("says so when it was used before, and asks once only", async () => {
    history.replaceState(null, "", "/#sign-in=abc");
    service().override(createConsoleSession, new Refusal("sign_in_link_invalid"));
    const one = testWheelhouse();
    expect(await one.start()).toMatchObject({ kind: "link-refused", error: { status: 401 } });
    expect(one.session.state.get().status).toBe("signed-out");
    expect(service().seen(createConsoleSession)).toHaveLength(1);
  });
});
