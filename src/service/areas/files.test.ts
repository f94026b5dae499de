import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { placeText } from "../files/open-files.ts";

const run = promisify(execFile);
let service: TestService;
let scratch = "";
beforeAll(async () => {
  service = await startService();
  scratch = mkdtempSync(join(tmpdir(), "wheelhouse-zip-"));
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await service.stop();
});

async function report(query: string, key: string = service.keys.ada): Promise<string> {
  const started = await service.call(key, "POST", `/start_pipeline?saved_item_id=flow_report&${query}`, {});
  const { run_id } = (await started.json()) as { run_id: string };
  await until("the report", async () => {
    const row = await service.context.store.db
      .selectFrom("executions")
      .select("state")
      .where("id", "=", run_id)
      .executeTakeFirstOrThrow();
    return row.state === "done";
  });
  return run_id;
}

const download = (body: object, key: string = service.keys.ada) =>
  service.call(key, "POST", "/download_files", body);

/** Adds a file to a run as a node would. */
async function addFile(runId: string, name: string, content: string | Readable): Promise<void> {
  const id = randomUUID();
  const size = await service.context.files.write(id, content);
  const row = { id, execution_id: runId, name, media_type: "text/plain", size };
  await service.context.store.db.insertInto("run_files").values(row).execute();
}

/** Names and contents, as Python's zipfile reads them after it has tested every entry. */
async function unzip(answer: Response): Promise<Record<string, string>> {
  const path = join(scratch, `${randomUUID()}.zip`);
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
  const program = `import zipfile,json,sys
z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps({i.filename: z.read(i)[:200].decode() for i in z.infolist()}))`;
  const { stdout } = await run("python3", ["-c", program, path]);
  return JSON.parse(stdout);
}

describe("Downloading files", () => {
  test("gives a zip of the named files of a run", async () => {
    const id = await report("user_id=user_ada");
    const answer = await download({
      run_id: id,
      user_id: "user_ada",
      file_names: ["report.md", "report.csv"],
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/zip");
    expect(answer.headers.get("content-disposition")).toContain(`${id}.zip`);
    const files = await unzip(answer);
    expect(Object.keys(files)).toEqual(["report.md", "report.csv"]);
    expect(files["report.csv"]).toMatch(/^month,units,price,revenue\nJanuary,120,9\.5,1140\n/);
  });

  test("S-30 gives only files that are the run's, and names the one that is not", async () => {
    const id = await report("user_id=user_ada");
    for (const name of [
      "../../etc/passwd",
      "/etc/passwd",
      "..\\x",
      "nothing.md",
      "report.md/",
      "REPORT.md",
    ]) {
      const answer = await download({ run_id: id, user_id: "user_ada", file_names: ["report.md", name] });
      expect(answer.status).toBe(404);
      const body = (await answer.json()) as { error: string; message: string };
      expect(body.error).toBe("not_found");
      expect(body.message).toContain(JSON.stringify(name));
    }
    const nul = await download({ run_id: id, user_id: "user_ada", file_names: ["a\u0000b"] });
    expect(nul.status).toBe(400);
    for (const file_names of [[], undefined, "report.md", [7], Array.from({ length: 10_000 }, () => "x")]) {
      const answer = await download({ run_id: id, user_id: "user_ada", file_names });
      expect(answer.status).toBe(400);
    }
  });

  test("S-30 flattens names and makes them different in the zip", async () => {
    const id = await report("user_id=user_ada");
    const names = ["../up.txt", "a/up.txt", "UP.txt", "caf\u00e9.txt", "cafe\u0301.txt", "nul"];
    for (const name of names) await addFile(id, name, name);
    const files = await unzip(
      await download({ run_id: id, user_id: "user_ada", file_names: [...names, "../up.txt"] }),
    );
    expect(files).toEqual({
      "up.txt": "../up.txt",
      "up (2).txt": "a/up.txt",
      "UP (3).txt": "UP.txt",
      "café.txt": "caf\u00e9.txt",
      "café (2).txt": "cafe\u0301.txt",
      _nul: "nul",
    });
  });

  test("is refused to others, and to a team key for a member's own files with the reason", async () => {
    const own = await report("user_id=user_ada");
    const teams = await report("user_id=user_ada&project_id=team_harbor");
    const file_names = ["report.md"];
    const ask = async (key: string, body: object) => {
      const answer = await download({ file_names, ...body }, key);
      const text = answer.status === 200 ? "" : ((await answer.json()) as { error: string }).error;
      return `${answer.status} ${text}`.trim();
    };
    const { grace, harbor } = service.keys;
    expect(await ask(grace, { run_id: own, user_id: "user_grace" })).toBe("404 not_found");
    expect(await ask(harbor, { run_id: own, user_id: "user_ada" })).toBe("403 personal_credential_required");
    expect(await ask(grace, { run_id: teams, user_id: "user_grace" })).toBe("200");
    expect(await ask(harbor, { run_id: teams, project_id: "team_harbor" })).toBe("200");
    expect(await ask(harbor, { run_id: teams })).toBe("400 project_id or user_id is required");
    expect(await ask(grace, { run_id: "run_nothing", user_id: "user_grace" })).toBe("404 not_found");
    expect(
      await ask(service.keys.ada, { run_id: own, user_id: "user_ada", saved_item_id: "flow_hello" }),
    ).toBe("404 not_found");
  });

  test("takes the files of a conversation, too", async () => {
    const message = '/write_file {"name": "notes.md", "content": "tide"}';
    const started = await service.call(service.keys.ada, "POST", "/start_agent", {
      ...{ gummie_id: "agent_scribe", message, user_id: "user_ada" },
    });
    const { interaction_id: id } = (await started.json()) as { interaction_id: string };
    await until("the turn", async () => {
      const answer = await service.call(service.keys.ada, "GET", `/agent_status/${id}?user_id=user_ada`);
      return ((await answer.json()) as { state: string }).state === "COMPLETED";
    });
    const body = { run_id: id, user_id: "user_ada", file_names: ["notes.md"] };
    expect(await unzip(await download(body))).toEqual({ "notes.md": "tide" });
    const refused = await download({ ...body, project_id: "team_harbor" }, service.keys.harbor);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: "personal_credential_required" });
  });

  test("S-26: gives a person the one file of a conversation that was shared with them, and no longer than that", async () => {
    const { ada, grace, harbor } = service.keys;
    const message = [
      '/write_file {"name": "shared.md", "content": "for both"}',
      '/write_file {"name": "private.md", "content": "for one"}',
    ].join("\n");
    const started = await service.call(ada, "POST", "/start_agent", {
      ...{ gummie_id: "agent_scribe", message, user_id: "user_ada" },
    });
    const { interaction_id: id } = (await started.json()) as { interaction_id: string };
    await until("the turn", async () => {
      const answer = await service.call(ada, "GET", `/agent_status/${id}?user_id=user_ada`);
      return ((await answer.json()) as { state: string }).state === "COMPLETED";
    });
    const { artifacts } = (await (
      await service.call(ada, "GET", `/artifacts?session_id=${id}&search_query=shared.md`)
    ).json()) as { artifacts: { id: string }[] };
    const change = (body: object) =>
      fetch(`${service.url}/api/v1/artifacts/${artifacts[0]?.id}/access`, {
        method: "PUT",
        headers: {
          authorization: `Bearer ${ada}`,
          "x-auth-key": "user_ada",
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
      });
    const of = (file_names: string[]) => download({ run_id: id, user_id: "user_grace", file_names }, grace);
    const nothing = await (await of(["shared.md"])).json();
    const email = "grace@example.com";
    const team = { type: "team", team_id: "team_harbor", role: "viewer" };
    expect((await change({ share: [{ type: "person", email, role: "viewer" }, team] })).status).toBe(200);
    expect(await unzip(await of(["shared.md"]))).toEqual({ "shared.md": "for both" });
    // The other one is as if it were not there, alone or beside it.
    expect(await (await of(["private.md"])).json()).toEqual(nothing);
    expect((await of(["shared.md", "private.md"])).status).toBe(404);
    // §5.8: a team's key opens no chat files, also those that its team was given.
    const byTeam = { run_id: id, project_id: "team_harbor", file_names: ["shared.md"] };
    expect((await download(byTeam, harbor)).status).toBe(403);
    await change({
      remove: [
        { type: "person", email },
        { type: "team", team_id: "team_harbor" },
      ],
    });
    expect(await (await of(["shared.md"])).json()).toEqual(nothing);
    // Nor does the key of a team that the owner is not in, for which there is nothing.
    const annex = await service.makeKey({ kind: "team", id: "team_annex" });
    const given = { artifact_id: artifacts[0]?.id ?? "", kind: "team" as const, grantee: "team_annex" };
    await service.context.store.db
      .insertInto("artifact_grants")
      .values({ ...given, role: "viewer", granted_by: null })
      .execute();
    const byAnnex = { run_id: id, project_id: "team_annex", file_names: ["shared.md"] };
    expect((await download(byAnnex, annex)).status).toBe(404);
  });

  test("S-31 streams: memory stays flat, nothing is left on the disk, and a reader who leaves ends it", async () => {
    const id = await report("user_id=user_ada");
    const size = process.env.WHEELHOUSE_LONG === "1" ? 2_000_000_000 : 300_000_000;
    let left = size;
    const noise = Buffer.from(Array.from({ length: 1 << 16 }, (_, index) => (index * 2_654_435_761) >>> 24));
    const source = new Readable({
      read() {
        if (left <= 0) this.push(null);
        else this.push(noise);
        left -= noise.length;
      },
    });
    await addFile(id, "big.bin", source);
    const stored = () => readdirSync(service.context.config.dataDirectory, { recursive: true }).sort();
    const before = stored();
    const body = { run_id: id, user_id: "user_ada", file_names: ["big.bin", "report.md"] };
    const resident = () => {
      globalThis.gc?.();
      return process.memoryUsage().rss;
    };
    const start = resident();
    let peak = start;
    const answer = await download(body);
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    expect(bytes).toBeGreaterThan(1_000_000);
    // The reader lives in this process, too; all of the file in memory would be 300 MB and more.
    expect((peak - start) / 1e6).toBeLessThan(120);
    expect(stored()).toEqual(before);

    const controller = new AbortController();
    const cut = await fetch(`${service.url}/api/v1/download_files`, {
      method: "POST",
      signal: controller.signal,
      headers: { authorization: `Bearer ${service.keys.ada}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await cut.body?.getReader().read();
    controller.abort();
    const open = () =>
      readdirSync("/proc/self/fd").some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(placeText(service.context.config.filesAt));
        } catch {
          return false;
        }
      });
    if (process.platform === "linux") await until("the file is closed", () => !open());
  });
});
