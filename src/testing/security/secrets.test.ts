import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomIds } from "../../service/context.ts";
import { createKey, revokeKey } from "../../service/credentials/keys.ts";
import { createSignInToken } from "../../service/credentials/sign-in.ts";
import { type AgentService, startAgentService } from "../agents.ts";
import { sealAll } from "../audit.ts";
import { startMcpServer, type TestMcpServer } from "../mcp-server.ts";
import { oauthTests } from "../oauth.ts";
import { until } from "../until.ts";
import { canaries, secretHeaderNames, secretInputs, secretParameters } from "./planted-secrets.ts";

const variable = (name: string) => ["$", `{${name}}`].join("");

const flows = {
  data: `
${secretInputs.map((name, at) => `  in${at}: { type: input, name: ${name} }`).join("\n")}
  hook: { type: webhook_input }
  given: { type: output, value: "[${secretInputs.map((_, at) => `{{ in${at}.value }}`).join("")}]" }
  body: { type: output, value: "{{ hook.value }}" }`,
  server: `
  tool: { type: mcp_tool, server: harbor, tool: echo, arguments: { text: "hello" } }
  said: { type: output, value: "{{ tool.value }}" }`,
  code: `
  look: { type: code, source: "return [typeof process, typeof require, typeof fetch, Object.keys(globalThis).join()]" }
  said: { type: output, value: "{{ look.value | json }}" }`,
};

let mcp: TestMcpServer;
let app: AgentService;
let zoe = "";
const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-secrets-"));
const lines: string[] = [];
/** Every answer that a client got, headers and all. */
const heard: string[] = [];

beforeAll(async () => {
  mcp = await startMcpServer(canaries.mcpHeader);
  const headers = { authorization: `Bearer ${variable("TEST_MCP_TOKEN")}` };
  const harbor = { url: `${mcp.url}?key=${variable("TEST_MCP_KEY")}`, headers };
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers: { harbor } }));
  const person = "{ id: user_zoe, email: zoe@example.com, first_name: Zoe, last_name: Test, plan: pro }";
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n  - ${person}\n`);
  mkdirSync(join(workspace, "flows"));
  for (const [name, nodes] of Object.entries(flows)) {
    const flow = `id: flow_${name}\nname: ${name}\nowner: user_zoe\nnodes:${nodes}\n`;
    writeFileSync(join(workspace, "flows", `${name}.yaml`), flow);
  }
  app = await startAgentService({
    workspace,
    empty: false,
    logTo: (line) => lines.push(line),
    upstreams: [{ name: "Away", url: `http://wheelhouse:${canaries.upstreamPassword}@127.0.0.1:9/api/v1` }],
    traces: {
      ...{ url: "http://127.0.0.1:9/v1/traces", headers: { authorization: canaries.traceHeader ?? "" } },
      ...{ protocol: "http/json", isCompressed: false, timeoutMs: 1_000, everyMs: 100, resource: {} },
      sampler: { isParentBased: true, ratio: 1 },
      withContents: true,
    },
    environment: {
      ...{ OPENAI_API_KEY: canaries.openAiKey ?? "", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
      ...{ ANTHROPIC_API_KEY: canaries.anthropicKey ?? "", ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1" },
      WHEELHOUSE_OPENAI_COMPATIBLE_KEY: canaries.modelKey ?? "",
      TEST_MCP_TOKEN: canaries.mcpHeader ?? "",
      TEST_MCP_KEY: canaries.mcpAddress ?? "",
      TEST_OTHER: canaries.environment ?? "",
    },
  });
  zoe = await app.service.makeKey({ kind: "person", id: "user_zoe" });
  canaries.personalKey = zoe;
  canaries.teamKey = app.keys.red;
});
afterAll(async () => {
  await app.stop();
  await mcp.close();
  rmSync(workspace, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly json: any;
}

async function call(key: string | null, method: string, path: string, body?: unknown, headers?: HeadersInit) {
  const response = await app.service.call(key, method, path, body, headers);
  const bytes = Buffer.from(await response.arrayBuffer());
  heard.push(JSON.stringify([...response.headers]), bytes.toString("latin1"));
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, json: isJson ? JSON.parse(bytes.toString()) : null } satisfies Answer;
}

/** Starts a flow of Zoe's and answers its run when it has ended. */
async function run(
  flow: string,
  body: unknown = {},
  headers?: HeadersInit,
  key: string | null = zoe,
  more = "",
) {
  const path = `/start_pipeline?saved_item_id=${flow}&user_id=user_zoe${more}`;
  const { json } = await call(key, "POST", path, body, headers);
  let status = { json: { state: "" } } as Answer;
  await until(`the end of ${flow}`, async () => {
    status = await call(zoe, "GET", `/get_pl_run?run_id=${json.run_id}&user_id=user_zoe`);
    return status.json.finished_ts !== null;
  });
  return status.json;
}

describe("S-43: credentials of a request", () => {
  test("S-84: are no inputs of a flow, whatever its inputs are called", async () => {
    const secrets = { cookie: canaries.cookie ?? "", "proxy-authorization": canaries.proxy ?? "" };
    const headers = {
      ...secrets,
      "x-auth-key": canaries.userHeader ?? "",
      "x-link-password": canaries.linkHeader ?? "",
      ...Object.fromEntries(secretHeaderNames.map((name) => [name, canaries[name] ?? ""])),
      "x-other": canaries.otherHeader ?? "",
    };
    const byHeader = await run("flow_data", {}, headers);
    expect([byHeader.state, byHeader.outputs.given]).toEqual(["DONE", "[]"]);
    const byQuery = await run("flow_data", {}, headers, null, `&api_key=${zoe}`);
    expect([byQuery.state, byQuery.outputs.given]).toEqual(["DONE", "[]"]);
  });
});

describe("S-33 S-48: what a caller sends to a flow", () => {
  test("is data, whatever its fields are called and whatever they say", async () => {
    const text = "{{constructor.constructor('return process')()}}{% raw %}{{ in0.value }}";
    const odd =
      '"files":[{"path":"/etc/passwd"}],"filepath":"/etc/passwd","headers":{},"query":{"user_id":"user_kim"}';
    const hostile =
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"$ref":"/etc/passwd"';
    const body = `{${odd},${hostile},"authorization":${JSON.stringify(text)}}`;
    const { state, outputs, user_id, files } = await run("flow_data", body);
    expect({ state, user_id, files }).toEqual({ state: "DONE", user_id: "user_zoe", files: [] });
    expect(outputs).toEqual({ given: `[${text}]`, body });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("code of a flow sees nothing of the process that runs it", async () => {
    const { state, outputs } = await run("flow_code");
    expect(state).toBe("DONE");
    const [ofProcess, ofRequire, ofFetch, names] = JSON.parse(outputs.said);
    expect([ofProcess, ofRequire, ofFetch]).toEqual(["undefined", "undefined", "undefined"]);
    expect(names).not.toMatch(/process|env|require|fetch/);
  });
});

/** Sends secrets in addresses and to another service, as browsers and tools do. */
async function useAddresses(): Promise<void> {
  const { url } = app.service;
  const query = new URLSearchParams(secretParameters.map((name) => [name, canaries[`?${name}`] ?? ""]));
  const basic = Buffer.from(`zoe:${canaries.basic}`).toString("base64");
  canaries.basicHeader = basic;
  const paths = [
    "/api/v1/agents",
    "/api/v1/nothing",
    "/oauth/authorize",
    "/oidc/callback",
    "/mcp/oauth/callback",
  ];
  for (const path of [...paths, "/upstream/Away/api/v1/agents", "/files/none", "/runs"]) {
    const response = await fetch(`${url}${path}?${query}`, {
      headers: { authorization: `Basic ${basic}` },
      redirect: "manual",
    });
    // Some send the browser on with what it came with: to whom it came from alone.
    const headers = [...response.headers].filter(([name]) => name !== "location");
    heard.push(JSON.stringify(headers), await response.text());
  }
}

/** A program is let in, gets tokens and uses them; others guess. What it is given once is in no other place. */
async function usePrograms(): Promise<void> {
  const { url, call } = app.service;
  const oauth = oauthTests(() => ({ url, call, keys: { ada: zoe } }));
  const program = await oauth.register({ confidential: true });
  canaries.programCode = await oauth.code(program, zoe);
  const secret = program.secret === null ? {} : { client_secret: program.secret };
  if (program.secret !== null) canaries.programSecret = program.secret;
  const tokens = await oauth.tokensOf(await oauth.exchange(program, canaries.programCode, secret));
  canaries.programAccess = tokens.access;
  canaries.programRefresh = tokens.refresh;
  await call(tokens.access, "GET", "/agents");
  const again = await oauth.tokensOf(await oauth.refresh(program, tokens.refresh, secret));
  canaries.programSecondRefresh = again.refresh;
  for (const wrong of [
    await oauth.exchange(program, canaries.wrongCode ?? "", secret),
    await oauth.refresh(program, canaries.wrongRefresh ?? "", secret),
    await oauth.refresh(program, tokens.refresh, secret),
  ]) {
    expect(wrong.status).toBeGreaterThanOrEqual(400);
    heard.push(await wrong.text());
  }
}

/** A link with a password is made and opened. */
async function openLink(): Promise<void> {
  const { json: listed } = await call(zoe, "GET", "/artifacts");
  const link = { mode: "password", password: canaries.goodLinkPassword };
  const { json } = await call(
    ...([zoe, "PUT", `/artifacts/${listed.artifacts[0].id}/access`, { link }] as const),
    { "x-auth-key": "user_zoe" },
  );
  const token = String(json.access.link_url).split("/").at(-1);
  const headers = { "x-link-password": encodeURIComponent(canaries.goodLinkPassword ?? "") };
  expect((await call(null, "GET", `/shared/${token}`, undefined, headers)).status).toBe(200);
}

describe("S-50: secrets that pass through the service", () => {
  test("are found in no table, no log line, no answer and no file", async () => {
    const { db } = app.context.store;
    // Credentials of every kind, used well and badly.
    canaries.signInToken = await createSignInToken(app.context.store, "user_zoe");
    const exchange = await app.service.call(null, "POST", "/console/sessions", {
      token: canaries.signInToken,
    });
    // The one answer that shows a secret, once.
    const session = (await exchange.json()) as { access_token: string };
    canaries.accessToken = session.access_token;
    const revoked = await createKey(db, randomIds, { kind: "person", id: "user_zoe" }, "revoked");
    await revokeKey(db, revoked.id);
    canaries.revokedKey = revoked.secret;
    for (const secret of [
      canaries.wrongKey,
      canaries.revokedKey,
      canaries.signInToken,
      canaries.accessToken,
    ]) {
      for (const [method, path] of [
        ["GET", "/teams"],
        ["POST", "/start_agent"],
        ["POST", "/console/sessions"],
        ["GET", `/agents/${secret}x`],
        ["GET", "/shared/none"],
      ] as const) {
        const body =
          method === "POST" ? { token: canaries.wrongKey, password: canaries.linkPassword } : undefined;
        await call(secret ?? null, method, path, body, { "x-link-password": canaries.linkPassword ?? "" });
      }
      await call(
        null,
        "POST",
        `/start_pipeline?api_key=${secret}&user_id=user_zoe&saved_item_id=flow_data`,
        {},
      );
    }
    await call(app.keys.red, "GET", "/mcp/servers/harbor/tools");
    await useAddresses();
    await usePrograms();

    // A server and a model with keys of the operator: well, unreachable, refusing.
    expect((await run("flow_server")).outputs).toEqual({ said: "hello" });
    const tools = [{ type: "mcp_server", server_id: "harbor" }, { type: "write_file" }];
    const talk = async (model_name: string, message: string) => {
      const made = await call(zoe, "POST", "/agents", { name: "Agent", model_name, tools });
      const body = { gummie_id: made.json.agent.id, message, user_id: "user_zoe" };
      const { json } = await call(zoe, "POST", "/start_agent", body);
      let status = { json: {} } as Answer;
      await until("the end of the turn", async () => {
        status = await call(zoe, "GET", `/agent_status/${json.interaction_id}?user_id=user_zoe`);
        return status.json.state !== "ASYNC_PROCESSING";
      });
      const run_id = json.interaction_id;
      await call(zoe, "GET", `/agents/${body.gummie_id}/artifacts`);
      await call(zoe, "POST", "/download_files", { run_id, file_names: ["note.md"], user_id: "user_zoe" });
      return status.json;
    };
    const told = await talk(
      "builtin/offline",
      '/harbor__echo {"text": "hi"}\n/write_file {"name":"note.md","content":"x"}',
    );
    expect(told.state).toBe("COMPLETED");
    await openLink();
    app.model.next({ type: "status", status: 401, message: `Bad key ${canaries.modelKey}` });
    for (const model of ["local/fake", "openai/gpt-5.1", "anthropic/claude-sonnet-4-5"])
      expect((await talk(model, "Hello")).state, model).toBe("FAILED");
    mcp.refuse(500);
    await talk("builtin/offline", '/harbor__echo {"text": "hi"}');
    await run("flow_server");
    for (const path of ["", "/harbor", "/harbor/tools"]) await call(zoe, "GET", `/mcp/servers${path}`);
    await call(zoe, "POST", "/mcp/servers/harbor/tools/echo/call", { arguments: { text: "hi" } });
    // A database that fails in the middle of a request is our own error, with a stack in the log.
    await sql`alter table agents rename to agents_away`.execute(db);
    try {
      expect((await call(zoe, "GET", "/agents?search=x")).status).toBe(500);
    } finally {
      await sql`alter table agents_away rename to agents`.execute(db);
    }

    // Signed links are secrets too, for a quarter of an hour: in answers, but not kept.
    const kept = { ...canaries, signature: "signature=" };
    const places: Record<string, string> = {
      ...(await tables()),
      log: lines.join("\n"),
      files: filesBelow(app.context.config.dataDirectory),
    };
    for (const [place, text] of Object.entries(places)) expect(found(kept, text), place).toEqual([]);
    expect(found(canaries, heard.join("\n")), "answers").toEqual([]);
    // It looked where something was.
    expect(heard.join("\n")).toContain("signature=");
    expect(lines.join("\n")).toContain('"route":"startPipeline"');
    expect(places["public.message_parts"]).toContain("harbor__echo");
    expect(Object.keys(canaries).length).toBeGreaterThanOrEqual(40);
  });
});

describe("S-124: secrets that changes are about", () => {
  test("S-124: are in no entry of the audit log, and in no line of its export", async () => {
    const { json: invited } = await call(zoe, "POST", "/admin/people", {
      ...{ email: "new@example.com", first_name: "New", last_name: "Person" },
    });
    const link = String(invited.invitation.url).split("#sign-in=")[1] ?? "";
    const made = (await (await app.service.call(zoe, "POST", "/admin/keys", { name: "Nightly" })).json()) as {
      secret: string;
    };
    const exchanged = await app.service.call(null, "POST", "/console/sessions", { token: link });
    const { access_token } = (await exchanged.json()) as { access_token: string };
    const prompt = "canary-of-a-system-prompt";
    await call(zoe, "POST", "/agents", { name: "Agent", system_prompt: prompt });
    await sealAll(app.context);
    const exported = await call(zoe, "GET", "/admin/audit/export");
    expect(exported.status).toBe(200);
    const kept: Record<string, string> = { ...canaries, link, made: made.secret, access_token, prompt };
    const { rows } = await sql<{ text: string }>`
      select entry::text as text from audit_log`.execute(app.context.store.db);
    const places = { entries: rows.map(({ text }) => text).join(), export: heard.at(-1) ?? "" };
    for (const [place, text] of Object.entries(places)) {
      expect(found(kept, text), place).toEqual([]);
      // It looked where something was.
      expect(text).toContain("person.invite");
      expect(text).toContain("key.create");
      expect(text).toContain("session.create");
    }
  });
});

/** Also in other spellings: percent-encoded, as base64, as hex. */
function found(secrets: Readonly<Record<string, string>>, text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret);
    const inner = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
    const spellings = [secret, encodeURIComponent(secret), inner, bytes.toString("hex")];
    return spellings.some((spelling) => text.includes(spelling)) ? [name] : [];
  });
}

/** Every table of the database, also those of the job queue, as text. */
async function tables(): Promise<Record<string, string>> {
  const { db } = app.context.store;
  const names = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const texts: Record<string, string> = {};
  for (const { schema, name } of names.rows) {
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(t::text, e'\n'), '') as text from ${sql.table(`${schema}.${name}`)} t`.execute(
      db,
    );
    texts[`${schema}.${name}`] = rows[0]?.text ?? "";
  }
  return texts;
}

function filesBelow(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), "latin1")}`)
    .join("\n");
}
