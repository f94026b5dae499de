import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";
import { openBodyLimit } from "../../service/http/body.ts";
import { makeObject } from "./objects.ts";
import { operationNames } from "./operations.ts";
import { fieldsOf, hostileValues } from "./spoil-field.ts";
import { change, goodParts, spoiled, textOf } from "./spoil-request.ts";
import { addressOf, type RecordedAnswer, recordAnswer, startWorld, type World } from "./world.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
/** For each operation; a million in all are sent by spoiled-requests.long.test.ts. */
const rounds = long ? 200 : 12;
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
/** S-34: whatever was sent, the objects of this process are as they were. */
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(untouched);
  expect(Object.keys({ ...Object.prototype })).toEqual([]);
});
const untouched = Object.getOwnPropertyNames(Object.prototype).sort();

/** Sends a body as it is written, to the operation at this address. */
async function send(
  operation: EndpointName,
  address: string,
  text: string | undefined,
): Promise<RecordedAnswer> {
  const { method } = endpoints[operation];
  const key = world.credentials.owner;
  return recordAnswer(await world.service.send(key, method, address, text, { "x-auth-key": "user_ann" }));
}

describe("S-13 S-34: anything in any place of a request", () => {
  test.each(operationNames)(
    "%s answers it with what it is, and never breaks",
    async (operation) => {
      const parts = await goodParts(world.context, operation);
      await fc.assert(
        fc.asyncProperty(change, async (one) => {
          const wrong = spoiled(parts, one);
          const heard = await send(operation, addressOf(operation, wrong), textOf(operation, wrong));
          expect(heard.status, `${heard.text}`).toBeLessThan(500);
        }),
        { numRuns: rounds },
      );
    },
    600_000,
  );

  test("metadata with keys that mean something to JavaScript changes nothing but itself", async () => {
    const sections = ["__proto__", "constructor", "prototype", "preferences", "chat"];
    const body = sections.map((name) => {
      return `${JSON.stringify(name)}:{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
    });
    const address = "/api/v1/agents/agent_ann";
    const heard = await send("updateAgent", address, `{"metadata":{${body.join(",")}}}`);
    expect(heard.status).toBe(200);
    expect(heard.text).not.toContain("polluted");
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const query = "__proto__[polluted]=1&constructor.prototype.polluted=1&__proto__=x";
    expect((await send("listAgents", `/api/v1/agents?${query}`, undefined)).status).toBe(200);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

/** Whoever needs no credential is nobody yet, and may send little. */
const isTooLarge = (operation: EndpointName, text: string) =>
  endpoints[operation].auth === "none" && text.length > openBodyLimit;

describe("S-81: a wrong type in any field of any body", () => {
  const writing = operationNames.filter((operation) => endpoints[operation].body !== null);
  const names = Object.keys(hostileValues) as (keyof typeof hostileValues)[];
  /** Fields that are data to the contract, and read by the function. */
  const readLater = ["user_id", "saved_item_id", "project_id", "pipeline_inputs", "text"].map((path) => ({
    path,
    isList: false,
    put: (body: object, value: unknown) => ({ ...body, [path]: value }),
  }));

  let turn = 0;

  test.each(writing)("%s answers it with 400 that names the field, never with 500", async (operation) => {
    const parts = await goodParts(world.context, operation);
    const { body: schema, errorShape } = endpoints[operation];
    if (schema === null) return;
    const fields = [...fieldsOf(schema), ...(operation === "startPipeline" ? readLater : [])];
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields) {
      // In the short run every list gets the thousands of numbers, and two fields another value in turn.
      const others = names.filter(
        () => !long && turn++ % (names.length * Math.ceil(fields.length / 2)) === 0,
      );
      for (const name of long
        ? names
        : [...(field.isList ? ["thousands of numbers" as const] : []), ...others]) {
        const body = field.put(parts.body ?? {}, hostileValues[name]);
        const heard = await send(operation, addressOf(operation, parts), JSON.stringify(body));
        const what = `${field.path}: ${name}: ${heard.text.slice(0, 200)}`;
        expect(heard.status, what).toBeLessThan(500);
        if (schema.safeParse(body).success) continue;
        if (isTooLarge(operation, JSON.stringify(body))) {
          expect([heard.status, heard.error], what).toEqual([413, "payload_too_large"]);
          continue;
        }
        expect(heard.status, what).toBe(400);
        const [top] = field.path.split(".");
        if (errorShape === "nested") expect(JSON.parse(heard.text).error.param, what).toMatch(`${top}`);
        else expect(JSON.parse(heard.text).message, what).toMatch(`${top}`);
      }
    }
  });
});

describe("S-44: bodies that are made to hurt", () => {
  const bodies: readonly (readonly [string, string])[] = [
    ["ten thousand levels of arrays", `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
    ["ten thousand levels of objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    [
      "hundreds of thousands of keys",
      `{${Array.from({ length: 700_000 }, (_, at) => `"${at}":1`).join(",")}}`,
    ],
    ["a key of a megabyte", `{"${"k".repeat(1_000_000)}":1}`],
    ["a number without an end", '{"a":1e400}'],
    ["half of a surrogate pair", '{"a":"\\ud800"}'],
    ["NUL", '{"a":"\\u0000"}'],
    ["NUL in a key", '{"\\u0000":1}'],
    ["a byte order mark", '\ufeff{"a":1}'],
    ["the same key twice", '{"user_id":"user_ann","user_id":"user_cat"}'],
    ["the same key twice, once escaped", '{"user_id":"user_ann","user\\u005fid":"user_cat"}'],
  ];
  const writing = operationNames.filter((operation) => endpoints[operation].body !== null);

  test.each(bodies)("%s is refused by every operation", async (_, text) => {
    for (const operation of text.length > 100_000 ? (["startPipeline"] as const) : writing) {
      const address = addressOf(operation, await goodParts(world.context, operation));
      const begun = performance.now();
      const heard = await send(operation, address, text);
      const refusal = isTooLarge(operation, text) ? [413, "payload_too_large"] : [400, "invalid_body"];
      expect([operation, heard.status, heard.error]).toEqual([operation, ...refusal]);
      // 100 ms on a machine of its own.
      expect(performance.now() - begun).toBeLessThan(20_000);
    }
  });
});

describe("S-55: lists", () => {
  // Ann is no admin: what only those list she hears nothing of (admin.test.ts).
  const paged = operationNames.filter(
    (operation) =>
      "cursor" in (endpoints[operation].query?.shape ?? {}) &&
      // For admins.
      operation !== "listPeople" &&
      operation !== "listPrograms",
  );
  const sorted = paged.filter((operation) => "sort_order" in (endpoints[operation].query?.shape ?? {}));
  /** As their cursors name them. */
  const listName = {
    listAgents: "agents:newest",
    listAgentVersions: "agent_versions",
    listSessions: "sessions",
    listRuns: "runs:newest",
    listRunNodeItems: "items:index",
    listAgentArtifacts: "artifacts:newest",
    listArtifacts: "artifacts:newest",
    listEvaluationResults: "evaluation-results",
    listEvaluations: "evaluations",
    listInbox: "inbox:waiting",
    listRubricResults: "rubric-results",
    listAdminTeams: "teams:false",
    listTeamMembers: "members:team_one",
    listKeys: "keys:person:user_ann",
    listConsoleSessions: "sessions:person:user_ann",
    listConnectedPrograms: "connections:user_ann",
    listAudit: "audit",
    listSources: "sources",
    search: "search",
  };
  const byName = new Set<EndpointName>(["listAdminTeams", "listTeamMembers"]);
  /** The largest key of each, and an id; of a search its place in the kind, and the kind. */
  const largestOf: Partial<Record<EndpointName, readonly string[]>> = {
    listAgentVersions: ["999999999", "a"],
    listRunNodeItems: ["999999999", "a"],
    listAudit: ["9".repeat(18), "9".repeat(18)],
    search: [`${"9".repeat(18)} a`, "agent"],
  };
  const list = async (operation: EndpointName, query: Record<string, string>) => {
    const parts = await goodParts(world.context, operation);
    return send(
      operation,
      addressOf(operation, { ...parts, query: { ...parts.query, ...query } }),
      undefined,
    );
  };

  test("are those that have a cursor", () => {
    expect(paged).toEqual(
      expect.arrayContaining(["listAgents", "listRuns", "listArtifacts", "listSessions"]),
    );
  });

  test.each(paged)("%s takes only its own cursors", async (operation) => {
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const own = listName[operation as keyof typeof listName];
    const wrongKeys = ["1); drop table agents; --", "now()", "9".repeat(30)].map((key) =>
      forged([own, key, "a"]),
    );
    const cursors = [
      ...["x", "e30", "W10", "null", "-", "a'b", forged({}), forged([own]), forged(["other:list", "1", "a"])],
      ...[forged([own, 1, "a"]), forged([own, "1", "a\u0000"]), forged([own, "1", "a", "b"])],
      // A name may be any text.
      ...(byName.has(operation) ? [] : wrongKeys),
    ];
    for (const cursor of cursors) {
      const heard = await list(operation, { cursor });
      expect([heard.status, heard.error], cursor).toEqual([400, "invalid_cursor"]);
    }
    // Of the right form, but with the largest key: an empty page or a full one, and no error of the database.
    const largest = forged([own, ...(largestOf[operation] ?? ["9".repeat(18), "a"])]);
    expect((await list(operation, { cursor: largest })).status).toBe(200);
  });

  test.each(paged)("%s clamps or refuses a page size", async (operation) => {
    const clamps = ["listAgentArtifacts", "listArtifacts"].includes(operation);
    for (const page_size of ["-1", "0", "101", "1000000000"]) {
      const heard = await list(operation, { page_size });
      expect([heard.status, heard.error], page_size).toEqual(clamps ? [200, ""] : [400, "invalid_page_size"]);
    }
    for (const page_size of ["NaN", "1e2", "0x10", "1.5", "Infinity", " 1", "1;drop table agents", ""]) {
      const heard = await list(operation, { page_size });
      expect([heard.status, heard.error], page_size).toEqual([400, "invalid_page_size"]);
    }
  });

  test.each(sorted)("%s sorts by its own names only", async (operation) => {
    for (const sort_order of [
      "created_at; drop table agents",
      "NEWEST",
      "1",
      "name_asc,newest",
      "__proto__",
    ]) {
      expect((await list(operation, { sort_order })).error).toBe("invalid_sort");
    }
  });

  test("a search finds letters as they are, and S-56: a long one costs no time", async () => {
    const { store } = world.context;
    const names = ["100%_sure\\.md", "100 is sure.md"];
    for (const name of names) {
      const artifact = await makeObject(world.context, "artifact", "own");
      await store.db.updateTable("artifacts").set({ filename: name }).where("id", "=", artifact).execute();
    }
    const found = async (search_query: string) => {
      const { artifacts } = JSON.parse((await list("listArtifacts", { search_query })).text);
      return artifacts.map(({ filename }: { filename: string }) => filename);
    };
    expect(await found("%_")).toEqual([names[0]]);
    expect(await found("_sure\\")).toEqual([names[0]]);
    expect(await found("' or true --")).toEqual([]);
    const patterns = ["(a+)+$", "İ", "ß", "\u0130\u0049", "%", "\\", "a"];
    for (const pattern of patterns) {
      const search = pattern.repeat(Math.floor(600 / pattern.length));
      for (const operation of ["listArtifacts", "listAgents", "listRuns", "listSessions"] as const) {
        const begun = performance.now();
        const heard = await list(operation, { search, search_query: search });
        expect(heard.status).toBe(200);
        // 50 ms on a machine of its own.
        expect(performance.now() - begun).toBeLessThan(20_000);
      }
    }
  });
});

describe("S-27: other ways to write an address", () => {
  test.each([
    ...["//api/v1/agents", "/api/v1//agents", "/api/v1/agents/", "/api/v1/./agents", "/api/v1/x/../agents"],
    ...["/api/v1/%61gents", "/api/v1/agents%2f", "/api/v1/agents;x=1", "/api/v1/agents/agent_ann/..%2f"],
    ...["/API/V1/agents", "/api/v1/agents%00", "/api/v1/agents/%E0%A4%A", "/api/v1/agents/%c0%ae%c0%ae"],
    ...["/healthz/../api/v1/agents", "/api/v1/openapi.json/../agents", "/upstream/x/api/v1/agents"],
  ])("%s shows no agent without a credential", async (path) => {
    const { request } = await import("node:http");
    const { hostname, port } = new URL(world.service.url);
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      // Unlike fetch, this sends the path as it is written.
      request({ hostname, port, path }, async (incoming) => {
        let text = "";
        for await (const chunk of incoming) text += String(chunk);
        resolve({ status: incoming.statusCode ?? 0, text });
      })
        .on("error", reject)
        .end();
    });
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toMatch(/agent_ann|next_cursor/);
  });

  test("a method in a header or the query is no method", async () => {
    const agent_id = await makeObject(world.context, "agent", "own");
    for (const header of ["x-http-method-override", "x-http-method", "x-method-override"]) {
      const headers = { [header]: "PATCH", "x-auth-key": "user_ann" };
      const path = `/agents/${agent_id}?_method=PATCH`;
      const answer = await world.service.call(world.credentials.owner, "GET", path, undefined, headers);
      expect((await answer.json()).agent.version).toBe(1);
    }
  });
});
