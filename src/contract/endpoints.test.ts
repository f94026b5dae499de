import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { capabilities, fieldCapabilities } from "./console.ts";
import type { Endpoint } from "./define.ts";
import { endpoints } from "./endpoints.ts";
import { commonErrors, errorCatalogue } from "./errors.ts";
import { knownOf } from "./open-enum.ts";
import { runState } from "./runs.ts";

const table: [string, Endpoint][] = Object.entries(endpoints);
const all = table.map(([, endpoint]) => endpoint);

/** §4 by hand: method, path, success status (§4.16). */
const core = [
  "POST /start_agent 202",
  "GET /agent_status/{interaction_id} 200",
  "POST /start_pipeline 200",
  "GET /get_pl_run 200",
  "POST /kill_pipeline 200",
  "POST /download_files 200",
  "PUT /artifacts/{artifact_id}/access 200",
  "GET /agents/{agent_id}/artifacts 200",
  "GET /mcp/servers 200",
  "GET /agents/{agent_id}/evaluations/metrics 200",
  "GET /agents/{agent_id}/evaluation-config 200",
  "POST /brain/sources/{source_id}/approve 200",
  "DELETE /evaluations/{evaluation_id} 204",
  "PATCH /agents/{agent_id} 200",
  "GET /agents 200",
  "GET /agents/{agent_id} 200",
  "GET /models 200",
];

/** Beyond the contract, public: every one that docs/interface.md, "Three tiers of endpoint" names. */
const publicOnes = [
  "GET /artifacts/{artifact_id}/access",
  "GET /artifacts/{artifact_id}/download",
  "GET /mcp/servers/{server_id}",
  "GET /mcp/servers/{server_id}/tools",
  "GET /evaluations",
  "POST /evaluations",
  "PATCH /agents/{agent_id}/evaluation-config",
  "GET /agents/{agent_id}/evaluations",
  "POST /agents/{agent_id}/evaluations/run",
  "GET /brain/sources",
  "GET /brain/sources/{source_id}",
  "GET /brain/sources/{source_id}/estimate",
  "POST /brain/sources",
  "POST /brain/sources/{source_id}/files",
  "POST /brain/search",
  "GET /list_saved_items",
  "GET /get_inputs",
  "GET /get_plrun_saved_item_map",
  "GET /agents/{agent_id}/sessions",
  "GET /sessions/{session_id}",
  "GET /teams",
  "GET /agents/{agent_id}/versions",
  "GET /agents/{agent_id}/versions/{version}",
  "POST /agents",
];

/** Ours alone, all of them. */
const own = [
  "GET /capabilities",
  "GET /runs",
  "GET /runs/{run_id}",
  "GET /runs/{run_id}/nodes",
  "GET /runs/{run_id}/nodes/{node_id}",
  "GET /runs/{run_id}/nodes/{node_id}/items",
  "GET /artifacts",
  "POST /console/sessions",
  "POST /console/sign-out",
  "GET /shared/{token}",
  "GET /evaluations/{evaluation_id}",
  "PATCH /evaluations/{evaluation_id}",
  "GET /evaluations/{evaluation_id}/results",
  "DELETE /artifacts/{artifact_id}",
  "POST /artifacts/{artifact_id}/restore",
  "DELETE /brain/sources/{source_id}",
  "POST /brain/sources/{source_id}/restore",
  "POST /mcp/servers/{server_id}/tools/{tool}/call",
  "POST /mcp/oauth/start",
  "POST /mcp/oauth/disconnect",
  "POST /mcp/tools/approve",
  "POST /interactions/{interaction_id}/stop",
  "DELETE /interactions/{interaction_id}",
  "POST /interactions/{interaction_id}/copy",
  "POST /interactions/{interaction_id}/restore",
  "GET /search",
  "GET /retention",
  "PUT /runs/{run_id}/keep",
  "PUT /interactions/{interaction_id}/keep",
  "GET /deletions/{id}",
  "GET /inbox",
  "GET /inbox/count",
  "GET /inbox/{item_id}",
  "POST /inbox/{item_id}/answer",
  "POST /runs/{run_id}/again/preview",
  "POST /runs/{run_id}/again",
  "GET /agents/{agent_id}/approvals",
  "GET /me",
  "GET /admin/people/{user_id}/permissions",
  "GET /admin/people",
  "GET /admin/people/{user_id}",
  "POST /admin/people",
  "PATCH /admin/people/{user_id}",
  "POST /admin/people/{user_id}/invitation",
  "GET /admin/people/{user_id}/owned",
  "POST /admin/people/{user_id}/hand-over",
  "GET /admin/teams",
  "GET /admin/teams/{team_id}",
  "POST /admin/teams",
  "PATCH /admin/teams/{team_id}",
  "GET /admin/teams/{team_id}/members",
  "PUT /admin/teams/{team_id}/members/{user_id}",
  "DELETE /admin/teams/{team_id}/members/{user_id}",
  "GET /admin/keys",
  "POST /admin/keys",
  "DELETE /admin/keys/{key_id}",
  "GET /console/sessions",
  "DELETE /console/sessions/{session_id}",
  "DELETE /console/sessions",
  "GET /admin/diagnostics",
  "GET /programs/requests/{request_id}",
  "POST /programs/requests/{request_id}",
  "GET /programs",
  "DELETE /programs/{connection_id}",
  "GET /admin/programs",
  "POST /admin/programs",
  "DELETE /admin/programs/{program_id}",
  "GET /admin/audit",
  "GET /admin/audit/export",
];

const address = ({ method, path }: Endpoint) => `${method} ${path}`;
const ofTier = (tier: Endpoint["tier"]) => all.filter((endpoint) => endpoint.tier === tier);

describe("the table of endpoints", () => {
  it("has every endpoint of §4 with its status, and calls no other one core", () => {
    const found = ofTier("core").map((endpoint) => `${address(endpoint)} ${endpoint.status}`);
    expect(found.sort(), "core, above").toEqual([...core].sort());
  });

  it("has every public and every own endpoint that was decided, and no more", () => {
    expect(ofTier("public").map(address).sort(), "publicOnes, above").toEqual([...publicOnes].sort());
    expect(ofTier("own").map(address).sort(), "own, above").toEqual([...own].sort());
  });

  it("finds each endpoint under its own name, once per address", () => {
    for (const [key, endpoint] of table) expect(endpoint.name).toBe(key);
    expect(new Set(all.map(address)).size).toBe(all.length);
  });

  it("answers flat errors on the six older endpoints alone", () => {
    const flat = all.filter((endpoint) => endpoint.errorShape === "flat").map((endpoint) => endpoint.path);
    expect(flat.sort()).toEqual(
      [
        "/agent_status/{interaction_id}",
        "/download_files",
        "/get_pl_run",
        "/kill_pipeline",
        "/start_agent",
        "/start_pipeline",
      ].sort(),
    );
  });

  it("lies below /api/v1, but for the calls to connect an MCP server", () => {
    const atRoot = all.filter(({ base }) => base === "").map(({ path }) => path);
    expect(atRoot).toEqual(["/mcp/oauth/start", "/mcp/oauth/disconnect", "/mcp/tools/approve"]);
  });

  it("needs a credential everywhere but at sign-in and behind a shared link", () => {
    const open = all.filter((endpoint) => endpoint.auth === "none").map(address);
    expect(open.sort()).toEqual(["GET /shared/{token}", "POST /console/sessions"]);
  });
});

describe.each(table)("%s", (_name, endpoint) => {
  it("has parameters for exactly the {names} in its path", () => {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(endpoint.params?.shape ?? {})).toEqual(names);
  });

  it("answers JSON, a file, or 204 without a body", () => {
    if (endpoint.method === "GET" && endpoint.response !== "jsonl")
      expect(typeof endpoint.response).toBe("object");
    expect(endpoint.response === "none").toBe(endpoint.status === 204);
    if (endpoint.response === "zip") expect(endpoint.path).toBe("/download_files");
    if (endpoint.response === "jsonl") expect(endpoint.path).toBe("/admin/audit/export");
  });

  it("has no body with GET and DELETE, and calls every GET a read", () => {
    if (endpoint.method === "GET" || endpoint.method === "DELETE") expect(endpoint.body).toBeNull();
    if (endpoint.method === "GET") expect(endpoint.kind).toBe("read");
  });

  it("names a capability unless it is core, and says where it comes from", () => {
    if (endpoint.tier === "core") expect(endpoint.capability).toBeNull();
    else expect(capabilities).toContain(endpoint.capability);
    expect(endpoint.section).toMatch(endpoint.tier === "core" ? /^§4\.\d+$/ : /^[A-Z]/);
    expect(endpoint.summary).toMatch(/^[A-Z].+[^.]$/);
  });

  it("answers errors of the catalogue, none of them twice", () => {
    const { errors } = endpoint;
    for (const code of errors) expect(errorCatalogue).toHaveProperty(code);
    const mine = endpoint.auth === "none" ? errors : [...errors, ...commonErrors];
    expect(new Set(mine).size).toBe(mine.length);
    for (const [field, code] of Object.entries(endpoint.missing)) {
      expect(errors).toContain(code);
      expect(Object.keys(shapeOf(endpoint.body) ?? {})).toContain(field);
    }
  });

  it("can be written as JSON Schema, in and out", () => {
    for (const schema of schemasOf(endpoint)) {
      for (const io of ["input", "output"] as const) {
        expect(() => z.toJSONSchema(schema, { io })).not.toThrow();
      }
    }
  });
});

describe("a known value", () => {
  it("can be listed for documents and forms, though any other is accepted", () => {
    expect(knownOf(runState)).toContain("DONE");
    expect(runState.parse("HIBERNATING")).toBe("HIBERNATING");
    expect(knownOf(z.string())).toBeUndefined();
  });
});

describe("the capabilities", () => {
  it("are exactly those of endpoints and of single fields", () => {
    const used = all.flatMap((endpoint) => (endpoint.capability === null ? [] : [endpoint.capability]));
    expect([...new Set([...used, ...fieldCapabilities])].sort(), "src/contract/console.ts").toEqual(
      [...capabilities].sort(),
    );
  });
});

/** Lists that come whole, as the interface or its public documentation has them. */
const whole = new Set([
  "listModels",
  "listSavedItems",
  "getInputs",
  "listTeams",
  "listMcpServers",
  "listMcpTools",
  "getCapabilities",
  // One thing with lists in it, not a list.
  "agentStatus",
  "getEvaluationMetrics",
  "getRun",
  "getRunDetails",
  "listRunNodes",
  "getRetention",
  "getAgentApprovals",
  "getOwnRoles",
  "explainPermissions",
  "getDiagnostics",
  "getOwned",
  // One request, with the scopes that it asks.
  "getProgramRequest",
]);

describe("a list", () => {
  it("comes in pages with next_cursor, unless it is known to come whole", () => {
    for (const [name, endpoint] of table) {
      if (endpoint.method !== "GET" || whole.has(name)) continue;
      const shape = shapeOf(endpoint.response);
      const isList = Object.values(shape ?? {}).some((field) => unwrapped(field)._zod.def.type === "array");
      expect(Object.hasOwn(shape ?? {}, "next_cursor"), name).toBe(isList);
      if (isList)
        expect(Object.keys(endpoint.query?.shape ?? {})).toEqual(
          expect.arrayContaining(["page_size", "cursor"]),
        );
    }
  });
});

/** Where the interface gives no shape. Everything else must say what it is. */
const open = [
  /^startPipeline body \*$/,
  // Inputs and outputs of a flow's nodes.
  /^(previewRunAgain|runAgain) body (inputs|output)\.\*$/,
  /^(getRun response outputs|listRuns response runs\.\[\]\.inputs|getRunDetails response inputs)\.\*$/,
  // What an input of a flow is where nothing is given.
  /^getInputs response inputs\.\[\]\.default$/,
  // What nodes of flows take and give.
  /^getRunNode response (inputs|output)\.value$/,
  // Agents: resources, metadata, and what a tool has beyond the known fields.
  /^\w+ (body|response)( agent\.| agents\.\[\]\.| )(tools\.\[\]|resources\.\[\]|metadata)\.\*$/,
  // Messages: a part's unknown fields, arguments and result of a tool call, an error.
  / (session\.)?messages\.\[\]\.parts\.\[\]\.(\*|error|file\.\*|result\.(\*|args|result))$/,
  / artifacts\.\[\]\.metadata\.\*$/,
  / (sessions\.\[\]|session)\.usage\.\*$/,
  /^(listMcpTools response tools\.\[\]\.(server|(held\.before\.)?(input_schema|output_schema|annotations))|callMcpTool response (content\.\[\]))\.\*$/,
  /^callMcpTool (body (arguments|answered\.\[\]\.answers\.\[\]\.values)\.\*|response structured_content)$/,
  /^(getInboxItem|answerInboxItem) response item\.(arguments|tool\.input_schema)\.\*$/,
  // As `listRuns` has them.
  /^(listInbox|getInboxItem|answerInboxItem) response items?\.(\[\]\.)?run\.inputs\.\*$/,
  // The question's own fields say what they take.
  /^answerInboxItem body values\.\*$/,
  /^runEvaluations response (queued|skipped)\.\[\]\.\*$/,
  /^searchKnowledge response results\.\[\]\.metadata\.\*$/,
];

describe("a schema", () => {
  it("leaves a value open only where the interface gives no shape", () => {
    const found = table.flatMap(([name, endpoint]) =>
      (["params", "query", "body", "response"] as const).flatMap((part) => {
        const schema = endpoint[part];
        return isSchema(schema) ? openPaths(schema).map((path) => `${name} ${part} ${path}`) : [];
      }),
    );
    expect(found.filter((path) => !open.some((known) => known.test(path)))).toEqual([]);
    for (const known of open)
      expect(
        found.some((path) => known.test(path)),
        `${known}`,
      ).toBe(true);
  });
});

function isSchema(part: unknown): part is z.ZodMiniType {
  return typeof part === "object" && part !== null;
}

function schemasOf({ params, query, body, response }: Endpoint): z.ZodMiniType[] {
  return [params, query, body, response].filter(isSchema);
}

function shapeOf(part: unknown): Record<string, z.core.$ZodType> | null {
  return part instanceof z.ZodMiniObject ? part.shape : null;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "optional" || def.type === "nullable" ? unwrapped(def.innerType) : schema;
}

/** Where a schema accepts anything: `[]` for an item of an array, `*` for any other key of an object. */
function openPaths(schema: z.core.$ZodType, at: readonly string[] = []): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "any":
    case "unknown":
      return [at.join(".")];
    case "object": {
      const known = Object.entries(def.shape).flatMap(([key, field]) => openPaths(field, [...at, key]));
      return def.catchall ? [...known, ...openPaths(def.catchall, [...at, "*"])] : known;
    }
    case "array":
      return openPaths(def.element, [...at, "[]"]);
    case "record":
      return openPaths(def.valueType, [...at, "*"]);
    case "optional":
    case "nullable":
      return openPaths(def.innerType, at);
    case "union":
      return def.options.flatMap((option) => openPaths(option, at));
    case "pipe":
      return openPaths(def.out, at);
    default:
      return [];
  }
}
