import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasBlockedQueries } from "../../testing/held-row.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { loadDocuments } from "./load-documents.ts";

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-documents-"));
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const sourceId = "source_handbook";
const call = async (method: string, path: string, body?: unknown) =>
  (await service.call(service.keys.ada, method, path, body)).json();
const found = async (query: string) =>
  (await call("POST", "/brain/search", { query })).results.map(
    ({ title, metadata }: { title: string; metadata: { section: string } }) =>
      `${title}: ${metadata.section}`,
  );

async function read(count: number) {
  let source = await call("GET", `/brain/sources/${sourceId}`).then((body) => body.source);
  // What waits for an approval is read as far as it will be.
  const ends = () => (source.status === "draft" ? ["indexed", "pending"] : ["indexed"]);
  const open = () => source.files.filter(({ status }: { status: string }) => !ends().includes(status));
  await until(`${count} documents are read`, async () => {
    source = (await call("GET", `/brain/sources/${sourceId}`)).source;
    return source.document_count === count && open().length === 0;
  });
  return source;
}

/** An active source with a file that was sent: each test begins with that, also where it runs alone. */
async function begin() {
  await call("POST", `/brain/sources/${sourceId}/approve`);
  const file_content = Buffer.from("Sent: the ferry leaves at noon.").toString("base64");
  await call("POST", `/brain/sources/${sourceId}/files`, {
    files: [{ file_name: "sent.txt", file_content }],
  });
}

/** What the folder holds from now on, as at another start. */
async function load(documents: Readonly<Record<string, string>>, most?: number) {
  const place = join(folder, "knowledge", "handbook");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(place, name), text);
  const names = Object.keys(documents).map((name) => ({ name }));
  const source = { id: sourceId, source: { file: "knowledge/handbook/source.yaml" }, documents: names };
  await loadDocuments(service.context, folder, [source], most);
}

it("the sample's handbook is a draft that costs something, and is found once it is approved", async () => {
  const draft = await read(1);
  expect(draft).toMatchObject({ status: "draft", document_count: 1, name: expect.stringMatching(/sample/) });
  expect(draft.estimated_credits).toBeGreaterThan(0);
  expect(await found("crane winter")).toEqual([]);
  const { source } = await call("POST", `/brain/sources/${sourceId}/approve`);
  expect(source.status).toBe("active");
  await until("the handbook is found", async () => (await found("crane winter")).length > 0);
  expect(await found("from force nine on nobody goes out")).toEqual([
    expect.stringMatching(/^handbook\.md: /),
  ]);
});

it("what changes in the folder is read again at the next start, what is gone is found no more, what was sent stays", async () => {
  await begin();
  await load({ "new.md": "# Ferry\nThe ferry leaves at ten." });
  const { files } = await read(2);
  const rows = await service.context.store.db.selectFrom("credits").select("id").execute();
  expect(files.map(({ file_name }: { file_name: string }) => file_name)).toEqual(["new.md", "sent.txt"]);
  expect(await found("crane winter")).toEqual([]);
  expect((await found("ferry")).sort()).toEqual(["new.md: Ferry", "sent.txt: null"]);
  await load({ "new.md": "# Ferry\nThe ferry leaves at ten." });
  await read(2);
  expect(await service.context.store.db.selectFrom("credits").select("id").execute()).toEqual(rows);
});

it("a folder whose files were all replaced by others is taken at once, however few of them fit in memory together", async () => {
  await begin();
  const columns = {
    source_id: sourceId,
    kind: "text" as const,
    media_type: "text/plain",
    size: 1,
    sha256: "none",
  };
  const old = Array.from({ length: 1_000 }, (_, at) => ({
    ...columns,
    ...{ id: `file_old_${at}`, file_name: `old ${at}.txt`, content_id: `content_old_${at}` },
    ...{ origin: "workspace" as const, status: "indexed" as const },
  }));
  await service.context.store.db.insertInto("knowledge_files").values(old).execute();
  const text = "The lantern is lit at dusk.";
  await load({ "a.md": text, "b.md": text, "c.md": text }, text.length * 2);
  const { files } = await read(4);
  const names = ["a.md", "b.md", "c.md", "sent.txt"];
  expect(files.map(({ file_name }: { file_name: string }) => file_name)).toEqual(names);
});

it("a start that takes documents out of a draft waits for whoever is reading one of them, and neither fails", async () => {
  const { pool } = service.context.store;
  await begin();
  await pool.query("update knowledge_sources set status = 'draft' where id = $1", [sourceId]);
  const reading = await pool.connect();
  await reading.query("begin");
  await reading.query("select from knowledge_sources where id = $1 for update", [sourceId]);
  const loading = load({ "d.md": "The buoy is red." }).finally(() => reading.release());
  await until("the start waits", () => hasBlockedQueries(service.context.store));
  await reading.query("update knowledge_files set updated_at = now() where source_id = $1", [sourceId]);
  await reading.query("commit");
  await loading;
  const { files } = await read(2);
  expect(files.map(({ file_name }: { file_name: string }) => file_name)).toEqual(["d.md", "sent.txt"]);
});

it("a source of the folder that somebody deleted stays deleted at the next start", async () => {
  await call("DELETE", `/brain/sources/${sourceId}`);
  await load({ "again.md": "# Ferry\nThe ferry leaves at nine." });
  expect((await call("GET", `/brain/sources/${sourceId}`)).error.code).toBe("not_found");
  expect(await found("ferry")).toEqual([]);
  const rows = await service.context.store.db
    .selectFrom("knowledge_files")
    .select("file_name")
    .where("source_id", "=", sourceId)
    .execute();
  expect(rows.map(({ file_name }) => file_name)).not.toContain("again.md");
});
