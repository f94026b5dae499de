import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { builtFile } from "./built.ts";
import { emptyDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";
import { type TestService, testKeys } from "./service.ts";
import { until } from "./until.ts";

/** One of several processes of the service, as tests call it. */
export type SpawnedService = Pick<TestService, "url" | "keys" | "call">;

/** Processes of the service as they are installed, on one database and behind one address. */
export interface SpawnedServices {
  readonly processes: readonly SpawnedService[];
  /** Ends all of them and removes what they had. */
  stop(): Promise<void>;
}

/** Starts so many; each is ready. The first one's address is what all of them call theirs. */
export async function spawnServices(count: number): Promise<SpawnedServices> {
  const database = await emptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-spawned-"));
  const children: ChildProcess[] = [];
  const processes: SpawnedService[] = [];
  const stop = async () => {
    const closed = children.map((child) => new Promise((done) => child.once("close", done)));
    for (const child of children) child.kill("SIGTERM");
    await Promise.all(closed);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  for (let n = 0; n < count; n++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const publicUrl = processes[0]?.url ?? url;
    const places = ["--data", join(folder, `data-${n}`), "--files", join(folder, "files")];
    const args = ["start", "--port", String(port), "--public-url", publicUrl, ...places];
    const child = spawn(process.execPath, [builtFile("service/main"), ...args], {
      cwd: resolve(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: database.url },
        ...{ WHEELHOUSE_SECRET: "a secret that only tests have, 32+" },
        ...{ WHEELHOUSE_ADA_KEY: testKeys.ada, WHEELHOUSE_GRACE_KEY: testKeys.grace },
        WHEELHOUSE_HARBOR_KEY: testKeys.harbor,
      },
    });
    children.push(child);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (said += String(text)));
    await until(`process ${n} is ready`, async () => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${said}`);
      return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
    });
    const call: SpawnedService["call"] = (key, method, path, body, headers) => {
      const all = new Headers(headers);
      if (key !== null) all.set("authorization", `Bearer ${key}`);
      if (body !== undefined) all.set("content-type", "application/json");
      const sent = body === undefined ? null : JSON.stringify(body);
      return fetch(`${url}/api/v1${path}`, { method, headers: all, body: sent, redirect: "manual" });
    };
    processes.push({ url, keys: testKeys, call });
  }
  return { processes, stop };
}
