import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { endpoints } from "./endpoints.ts";
import { requestError } from "./problems.ts";

type Part = "params" | "query" | "body";

/** What the service would answer to this part of a request; null where it parses. */
function refusal(name: keyof typeof endpoints, part: Part, value: unknown) {
  const endpoint = endpoints[name];
  const schema: z.ZodMiniType | null = endpoint[part];
  if (!schema) throw new Error(`${name} has no ${part}`);
  const parsed = schema.safeParse(value);
  return parsed.success ? null : requestError(endpoint, part, parsed.error.issues, value);
}

/** What a handler gets of a query. */
function query(name: keyof typeof endpoints, value: Record<string, string>): unknown {
  const schema: z.ZodMiniType | null = endpoints[name].query;
  if (!schema) throw new Error(`${name} has no query`);
  return schema.parse(value);
}

describe("a body that is wrong", () => {
  it("is answered with the words of §7.1 where a field of start_agent is missing, null or empty", () => {
    for (const gummie_id of [undefined, null, ""]) {
      expect(refusal("startAgent", "body", { gummie_id, message: "hi" })?.code).toBe("gummie_id_required");
    }
    expect(refusal("startAgent", "body", { gummie_id: "a" })?.code).toBe("message_required");
    expect(refusal("startAgent", "body", {})?.code).toBe("gummie_id_required");
  });

  it("names the field of a wrong type, at any depth", () => {
    expect(refusal("startAgent", "body", { gummie_id: 5, message: "hi" })).toEqual({
      code: "invalid_body",
      param: "gummie_id",
      message: "gummie_id must be a string.",
    });
    expect(refusal("updateAgent", "body", { tools: [{}, "x"] })).toMatchObject({
      param: "tools.1",
      message: "tools.1 must be an object.",
    });
    expect(refusal("updateAgent", "body", { version: 1.5 })?.message).toBe("version must be a whole number.");
    expect(refusal("updateAgent", "body", { is_active: "no" })?.message).toBe(
      "is_active must be true or false.",
    );
    expect(refusal("downloadFiles", "body", { run_id: "r", file_names: [""] })?.message).toBe(
      "file_names.0 must not be empty.",
    );
  });

  it("says what is missing", () => {
    expect(refusal("killPipeline", "body", {})).toEqual({
      code: "invalid_body",
      param: "run_id",
      message: "run_id is missing.",
    });
  });

  it("is refused when it is no object", () => {
    for (const body of [null, [], "text", 7, true]) {
      for (const name of ["startAgent", "startPipeline", "updateAgent", "updateArtifactAccess"] as const) {
        expect(refusal(name, "body", body), `${name} ${JSON.stringify(body)}`).toEqual({
          code: "invalid_body",
          message: "The body must be an object.",
        });
      }
    }
  });

  it("is refused when a share item has no known shape (§4.7)", () => {
    expect(refusal("updateArtifactAccess", "body", { share: [{ type: "planet", role: "viewer" }] })).toEqual({
      code: "invalid_body",
      param: "share.0.type",
      message: "share.0.type has an unknown type.",
    });
    expect(
      refusal("updateArtifactAccess", "body", { share: [{ type: "person", email: "a@b.example" }] })?.message,
    ).toBe("share.0.role is missing.");
    expect(refusal("updateArtifactAccess", "body", { link: { mode: "everybody" } })?.message).toBe(
      "link.mode must be one of none, anyone, password.",
    );
    expect(
      refusal("updateArtifactAccess", "body", { link: { mode: "password", password: "short" } })?.message,
    ).toBe("link.password must have 10 to 256 characters.");
  });
});

describe("a body that is right", () => {
  it("may be any object for start_pipeline, and passes untouched (§4.3)", () => {
    const body = { user_id: 5, saved_item_id: null, nested: { deep: [1, null] }, "": "" };
    expect(endpoints.startPipeline.body.parse(body)).toEqual(body);
    expect(endpoints.startPipeline.body.parse({})).toEqual({});
  });

  it("may be {} for an access update, which changes nothing", () => {
    expect(refusal("updateArtifactAccess", "body", {})).toBeNull();
  });

  it("may have null in every field of an agent update (§4.14)", () => {
    const fields = Object.keys(endpoints.updateAgent.body.shape);
    expect(fields.sort()).toEqual(
      [
        "name",
        "model_name",
        "description",
        "system_prompt",
        "tools",
        "resources",
        "metadata",
        "is_active",
        "team_id",
        "version",
      ].sort(),
    );
    expect(
      refusal("updateAgent", "body", Object.fromEntries(fields.map((field) => [field, null]))),
    ).toBeNull();
  });

  it("loses fields that nobody asked for, and keeps unknown ones of a tool", () => {
    const body = { name: "Scribe", owner_id: "user_eve", tools: [{ type: "teapot", cups: 2 }] };
    expect(endpoints.updateAgent.body.parse(body)).toEqual({
      name: "Scribe",
      tools: [{ type: "teapot", cups: 2 }],
    });
  });
});

describe("a query", () => {
  it("arrives typed: numbers, booleans, times that stay text", () => {
    expect(
      query("listArtifacts", { page_size: "30", shared_by_me: "true", agent_id: "agent_scribe" }),
    ).toEqual({ page_size: 30, shared_by_me: true, agent_id: "agent_scribe" });
    const created_after = "2026-11-20T08:15:04.123456+02:00";
    expect(query("listRuns", { created_after, state: "RUNNING,FAILED" })).toEqual({
      created_after,
      state: "RUNNING,FAILED",
    });
  });

  it("takes back what the client makes of typed values with String()", () => {
    const typed = { page_size: 7, shared_by_me: false };
    const wire = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value)]));
    expect(query("listArtifacts", wire)).toEqual(typed);
  });

  it("clamps the page size of artifacts (§8), and refuses it elsewhere", () => {
    for (const [sent, used] of [
      ["0", 1],
      ["-5", 1],
      ["101", 100],
      ["999999999999", 100],
      ["20", 20],
    ] as const) {
      expect(query("listAgentArtifacts", { page_size: sent })).toEqual({ page_size: used });
    }
    expect(refusal("listAgents", "query", { page_size: "101" })?.code).toBe("invalid_page_size");
    expect(refusal("listAgents", "query", { page_size: "0" })?.code).toBe("invalid_page_size");
  });

  it("refuses a page size that is no whole number everywhere", () => {
    for (const page_size of ["NaN", "1.5", "1e2", "0x10", "", " 5", "Infinity"]) {
      expect(refusal("listAgentArtifacts", "query", { page_size })?.code, page_size).toBe(
        "invalid_page_size",
      );
    }
  });

  it("refuses days outside 1 to 365, naming the parameter (§8)", () => {
    for (const days of ["0", "366", "-1", "x"]) {
      expect(refusal("getEvaluationMetrics", "query", { days })).toMatchObject({
        code: "invalid_parameter",
        param: "days",
      });
    }
    expect(query("getEvaluationMetrics", { days: "365" })).toEqual({ days: 365 });
  });

  it("refuses an unknown order with invalid_sort, and an empty cursor with invalid_cursor", () => {
    expect(refusal("listAgents", "query", { sort_order: "best" })?.code).toBe("invalid_sort");
    expect(refusal("listAgents", "query", { cursor: "" })?.code).toBe("invalid_cursor");
  });

  it("refuses an empty id instead of reading it as none", () => {
    expect(refusal("getRun", "query", { run_id: "r", user_id: "" })).toMatchObject({
      code: "invalid_parameter",
      param: "user_id",
      message: "user_id must not be empty.",
    });
  });

  it("refuses a time without a zone, and one that is none", () => {
    for (const created_after of ["2026-11-20", "2026-11-20T08:15:04", "2026-13-45T99:00:00Z", "yesterday"]) {
      expect(refusal("listRuns", "query", { created_after })?.param, created_after).toBe("created_after");
    }
    for (const created_after of ["2026-11-20T08:15:04Z", "2026-11-20T08:15+0200", "2026-11-20 08:15:04.1Z"]) {
      expect(refusal("listRuns", "query", { created_after }), created_after).toBeNull();
    }
  });
});
