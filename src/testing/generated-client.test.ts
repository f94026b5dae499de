import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { generateSource } from "oazapfts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "./service.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
let service: TestService;
let folder = "";

/** What somebody writes who has the document alone: `client.ts` is made from it by a public generator. */
const program = `
import { setTimeout as delay } from "node:timers/promises";
import * as client from "./client.ts";

const user = "user_ada";
client.defaults.baseUrl = process.env["BASE"] ?? "";
client.defaults.headers = JSON.parse(process.env["CREDENTIALS"] ?? "{}");

async function flow() {
  const start = () =>
    client.startPipeline({ userId: user, savedItemId: "flow_report", idempotencyKey: "of-this-program" });
  const [first, again] = [await start(), await start()];
  if (first.status !== 200 || again.status !== 200) throw new Error(JSON.stringify([first, again]));
  const runId: string = first.data.run_id;
  for (;;) {
    const found = await client.getRun({ runId, userId: user });
    if (found.status !== 200) throw new Error(JSON.stringify(found));
    const finished: string | null = found.data.finished_ts;
    if (finished === null) {
      await delay(100);
      continue;
    }
    const since = await client.getRun({ runId, userId: user, ifNoneMatch: found.headers.get("etag") ?? "" });
    return { runId, sameRun: again.data.run_id === runId, state: found.data.state, unchanged: since.status === 304 };
  }
}

async function talk(message: string, interactionId?: string) {
  const continued = interactionId === undefined ? {} : { interaction_id: interactionId };
  const started = await client.startAgent({ body: { gummie_id: "agent_scribe", message, user_id: user, ...continued } });
  if (started.status !== 202) throw new Error(JSON.stringify(started));
  const id: string = started.data.interaction_id;
  for (;;) {
    const found = await client.agentStatus({ interactionId: id, userId: user });
    if (found.status !== 200) throw new Error(JSON.stringify(found));
    if (found.data.state !== "ASYNC_PROCESSING") return { id, state: found.data.state, turns: found.data.messages?.length ?? 0 };
    await delay(100);
  }
}

async function change() {
  const agentId = "agent_scribe";
  const before = await client.getAgent({ agentId });
  if (before.status !== 200) throw new Error(JSON.stringify(before));
  const version: number = before.data.agent.version;
  const changed = await client.updateAgent({ agentId, body: { description: null, version } });
  if (changed.status !== 200) throw new Error(JSON.stringify(changed));
  const stale = await client.updateAgent({ agentId, body: { description: "x", version } });
  const conflict: string = stale.status === 409 ? stale.data.error.code : "";
  const description: string | null = changed.data.agent.description;
  return { rose: changed.data.agent.version - version, description, conflict };
}

async function download(runId: string) {
  const files = { file_names: ["report.md"], run_id: runId, user_id: user };
  // This generator reads an answer that may also be a JSON error as text: its \`fetch\` option gives the bytes.
  let bytes = new Uint8Array();
  const keeping: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    bytes = new Uint8Array(await answer.clone().arrayBuffer());
    return answer;
  };
  const zip = await client.downloadFiles({ body: files }, { fetch: keeping });
  const missing = await client.downloadFiles({ body: { ...files, file_names: ["none.txt"] } });
  const refusal: string = missing.status === 404 ? missing.data.error : "";
  return { status: zip.status, begins: String.fromCharCode(...bytes.slice(0, 4)), refusal };
}

const ran = await flow();
const first = await talk("Hello");
const second = await talk("And again", first.id);
const models = await client.listModels({});
const pages = await client.listAgents({ pageSize: 1, sortOrder: "newest" });
console.log(JSON.stringify({
  ran: { ...ran, runId: "" },
  first: { ...first, id: "" },
  second: { ...second, id: "" },
  continued: first.id === second.id,
  changed: await change(),
  downloaded: await download(ran.runId),
  models: models.status,
  page: pages.status === 200 ? pages.data.agents.length : pages.status,
}));
`;

interface Scheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

/** The headers of the first way in that a document offers for an operation, as clients with credentials make them. */
function credentialHeaders(
  document: { components: { securitySchemes: Record<string, Scheme> } },
  operation: { security: readonly Record<string, unknown>[] },
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = Object.keys(operation.security[0] ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const scheme = document.components.securitySchemes[name];
      const secret = secrets[name] ?? "";
      return scheme?.type === "http"
        ? ["authorization", `${scheme.scheme} ${secret}`]
        : [scheme?.name ?? "", secret];
    }),
  );
}

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-client-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

test("a client that a public generator makes of the document starts, continues, changes and downloads", async () => {
  const document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  const source = await generateSource(join(folder, "openapi.json"), { argumentStyle: "object" });
  writeFileSync(join(folder, "client.ts"), source);
  writeFileSync(join(folder, "program.ts"), program);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const compilerOptions = {
    ...{ target: "es2023", lib: ["es2023", "dom"], module: "nodenext", types: ["node"] },
    ...{ strict: true, noPropertyAccessFromIndexSignature: true, rewriteRelativeImportExtensions: true },
    typeRoots: [join(root, "node_modules/@types")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  // Checks the types and writes the program, or throws with what is wrong.
  await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]).catch((error: { stdout?: string }) => {
    throw new Error(error.stdout);
  });
  const secrets = { personalKey: service.keys.ada, userId: "user_ada" };
  const { stdout } = await run(process.execPath, [join(folder, "program.js")], {
    env: {
      BASE: `${service.url}/api/v1`,
      CREDENTIALS: JSON.stringify(
        credentialHeaders(document, document.paths["/agents/{agent_id}"].patch, secrets),
      ),
    },
  });
  expect(JSON.parse(stdout)).toEqual({
    ran: { runId: "", sameRun: true, state: "DONE", unchanged: true },
    first: { id: "", state: "COMPLETED", turns: 2 },
    second: { id: "", state: "COMPLETED", turns: 4 },
    continued: true,
    changed: { rose: 1, description: null, conflict: "agent_version_conflict" },
    downloaded: { status: 200, begins: "PK\u0003\u0004", refusal: "not_found" },
    models: 200,
    page: 1,
  });
});
