import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtFile } from "../testing/built.ts";
import { freePort } from "../testing/free-port.ts";
import { figures } from "../testing/metrics.ts";
import { directoryFileStore } from "./files/file-store.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-main-"));
const data = join(folder, "data");
const running = new Set<Process>();

/** One process of the command line, with what it has said so far. */
class Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out = "";
  err = "";

  constructor(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const environment = { PATH: process.env.PATH, HOME: process.env.HOME, ...variables };
    this.child = spawn(process.execPath, [builtFile("service/main"), ...args], {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.on("data", (text) => {
      this.out += text;
    });
    this.child.stderr?.on("data", (text) => {
      this.err += text;
    });
    this.ended = new Promise((resolve) => {
      // Not its exit: what it said last may still be on its way then.
      this.child.once("close", (code) => {
        running.delete(this);
        resolve(code);
      });
    });
    running.add(this);
  }

  /** Waits for the text on stdout, or fails with all that was said when the process ends without it. */
  async says(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = () => this.out.includes(text) && resolve();
      this.child.stdout?.on("data", look);
      void this.ended.then(() => reject(new Error(`ended without "${text}":\n${this.out}\n${this.err}`)));
      look();
    });
  }

  get signInToken(): string {
    return /#sign-in=(\w+)/.exec(this.out)?.[1] ?? "";
  }
}

const run = async (...args: string[]) => {
  const process = new Process(args);
  const code = await process.ended;
  return { code, out: process.out, err: process.err };
};
const exchange = (port: number, token: string) =>
  fetch(`http://127.0.0.1:${port}/api/v1/console/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });

/** Where the embedded database really is: root's may lie outside the data directory. */
function databaseHome(): string {
  const marker = join(data, "postgres", "location");
  return existsSync(marker) ? readFileSync(marker, "utf8").trim() : join(data, "postgres");
}

afterAll(async () => {
  for (const process of running) process.child.kill("SIGKILL");
  await Promise.all([...running].map((process) => process.ended));
  rmSync(databaseHome(), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

describe("the command line", () => {
  test("says in one line what is wrong with it, and ends with 2", async () => {
    const { code, out, err } = await run("start", "--prot", "7700");
    expect([code, out]).toEqual([2, ""]);
    expect(err.trim()).toMatch(/^[^\n]*--prot[^\n]*$/);
  });

  test("says its version, and the number of its schema", async () => {
    const { code, out } = await run("--version");
    expect([code, out.trim()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+ \(schema \d+\)$/)]);
  });

  test("S-06: a port that another program has ends the start within two seconds, naming both", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, err } = await run("start", "--port", String(port), "--data", join(folder, "other"));
    taken.close();
    expect(code).toBe(1);
    const complaint = err.split("\n").filter((line) => !line.startsWith("{"));
    expect(complaint.join("\n").trim()).toBe(
      `Port ${port} is taken by process ${process.pid} (node): stop it, or choose another with --port.`,
    );
  });
});

// Only Linux has such a folder.
describe.skipIf(!existsSync("/proc/self"))("S-231: a folder below one in which nothing can be made", () => {
  test("ends the start in one line that names --data", async () => {
    const { code, out, err } = await run("start", "--port", "0", "--data", "/proc/none/data");
    expect([code, out]).toEqual([1, ""]);
    const complaint = err.split("\n").filter((line) => !line.startsWith("{"));
    expect(complaint.join("\n").trim()).toBe(
      "--data: /proc/none/data cannot be used (ENOENT): name a folder that this account may write to",
    );
  });

  test("fails what writes files there", async () => {
    const files = directoryFileStore("/proc/none/files");
    await expect(files.check()).rejects.toThrow("ENOENT");
    await expect(files.write("file_none", "text")).rejects.toThrow("ENOENT");
    await expect(files.addWriter("one")).rejects.toThrow("ENOENT");
  });
});

describe("a start", () => {
  let first: Process;
  let port: number;
  const url = () => `http://localhost:${port}`;

  beforeAll(async () => {
    port = await freePort();
    first = new Process(["start", "--port", String(port), "--data", data, "--metrics", "0"]);
    await first.says(`Data: ${data}\n`);
  }, 300_000);

  test("prints the address, a link to sign in and where the data are, in plain lines", () => {
    expect(first.out).toContain(`is running at ${url()}\n`);
    expect(first.out).toMatch(
      /Sign in as user_ada \(this link works once, within ten minutes\):\n {2}http:\/\/localhost:\d+\/#sign-in=\w{32}\n/,
    );
    expect(first.out).toMatch(/WHEELHOUSE_ADA_KEY=wh_personal_\w+/);
    expect(first.out).toContain(`Data: ${data}\n`);
    for (const line of first.err.split("\n").filter(Boolean)) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("serves its metrics where it was told to, and counts what people do", async () => {
    const address = /^Metrics: (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(first.out)?.[1] ?? "";
    await fetch(`${url()}/readyz`);
    const { count, names } = figures(await (await fetch(address)).text());
    expect(count("wheelhouse_http_requests_total", { route: "readiness", status: "200" })).toBeGreaterThan(0);
    expect(names()).toContain("nodejs_eventloop_lag_p99_seconds");
    expect((await fetch(`${url()}/metrics`)).status).toBe(404);
    const other = ["--port", "0", "--data", data, "--metrics", new URL(address).port];
    const { code, err } = await run("start", ...other);
    expect([code, err]).toEqual([2, expect.stringContaining("--metrics: 127.0.0.1 port")]);
  }, 300_000);

  test("its link signs in once", async () => {
    expect((await exchange(port, first.signInToken)).status).toBe(200);
    expect((await exchange(port, first.signInToken)).status).toBe(401);
  });

  test("S-86: nothing that it has written can be read by anybody else", () => {
    const isOpen = (path: string) => {
      const found = lstatSync(path);
      return !found.isSymbolicLink() && (found.mode & 0o77) !== 0;
    };
    const below = (folder: string) =>
      readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
    const paths = [...below(data), databaseHome(), ...below(databaseHome())];
    expect(paths).toContain(join(data, "secret"));
    expect(paths.filter(isOpen)).toEqual([]);
    expect(lstatSync(data).mode & 0o67).toBe(0);
  });

  test("its key works", async () => {
    const key = /WHEELHOUSE_ADA_KEY=(\w+)/.exec(first.out)?.[1];
    const answer = await fetch(`${url()}/api/v1/teams`, { headers: { authorization: `Bearer ${key}` } });
    expect(await answer.json()).toMatchObject({ teams: [{ id: "team_harbor" }] });
    expect(first.err).not.toContain(key);
  });

  test("S-06: the same start again says where it runs, gives a new link and ends well", async () => {
    const again = await run("start", "--port", String(port), "--data", data);
    expect(again.code).toBe(0);
    expect(again.out).toContain(`Wheelhouse is already running at ${url()}\n`);
    const token = /#sign-in=(\w+)/.exec(again.out)?.[1] ?? "";
    expect((await exchange(port, token)).status).toBe(200);
    expect((await fetch(`${url()}/readyz`)).status).toBe(200);
  }, 300_000);

  test("keys are made, listed and revoked beside it, with effect at the next request", async () => {
    const made = await run("keys", "create", "--team", "team_harbor", "--name", "for a test", "--data", data);
    const key = made.out.trim();
    expect(key).toMatch(/^wh_team_\w+$/);
    const teams = () => fetch(`${url()}/api/v1/teams`, { headers: { authorization: `Bearer ${key}` } });
    expect((await teams()).status).toBe(200);
    const listed = await run("keys", "list", "--data", data);
    const line = listed.out.split("\n").find((one) => one.includes("for a test")) ?? "";
    expect(listed.out).not.toContain(key);
    const id = line.split(" ")[0] ?? "";
    expect((await run("keys", "revoke", id, "--data", data)).code).toBe(0);
    expect((await teams()).status).toBe(401);
    expect((await run("keys", "revoke", id, "--data", data)).code).toBe(1);
    const nobody = await run("keys", "create", "--person", "user_nobody", "--data", data);
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining("user_nobody")]);
  }, 300_000);

  test("S-73: files adopt gives the folder of files to this database, beside the service", async () => {
    const mark = join(data, "files", "mark");
    writeFileSync(mark, "of-another-database token");
    expect(await run("files", "adopt", "--data", data)).toMatchObject({
      code: 0,
      out: `The files in ${join(data, "files")} belong to this database now.\n`,
    });
    expect(readFileSync(mark, "utf8")).not.toContain("another");
    expect(await run("files", "give", "--data", data)).toMatchObject({
      code: 2,
      err: expect.stringContaining("files takes adopt"),
    });
  }, 300_000);

  test.each([
    ["WHEELHOUSE_ADA_KEY", "short", {}],
    ["WHEELHOUSE_OPENAI_COMPATIBLE_URL", "nowhere", {}],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }],
    ["DATABASE_URL", "postgres://127.0.0.1:9/none", { WHEELHOUSE_SECRET: "s".repeat(32) }],
  ])(
    "a start with a wrong %s names it",
    async (variable, value, others) => {
      const args = [
        "start",
        "--port",
        String(await freePort()),
        "--data",
        data,
        "--files",
        join(data, "files"),
      ];
      const wrong = new Process(args, { ...others, [variable]: value });
      expect(await wrong.ended).toBeGreaterThan(0);
      const told = wrong.err.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
      expect(told).toEqual([expect.stringContaining(variable)]);
    },
    300_000,
  );

  test("S-06 S-18: a second one on another port joins; the last one out stops the database", async () => {
    const other = await freePort();
    const second = new Process(["start", "--port", String(other), "--data", data]);
    await second.says(`Data: ${data}\n`);
    expect((await exchange(port, second.signInToken)).status).toBe(200);

    const started = performance.now();
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(performance.now() - started).toBeLessThan(30_000);
    expect((await fetch(`http://localhost:${other}/readyz`)).status).toBe(200);

    second.child.kill("SIGINT");
    expect(await second.ended).toBe(0);
    const lines = first.err
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const said = (msg: string) => lines.filter((line) => line.msg === msg);
    expect(said("ready")).toEqual([expect.objectContaining({ version: expect.stringMatching(/^\d/) })]);
    expect(said("the schema was brought up to date")).toEqual([
      expect.objectContaining({ applied: expect.any(Number), to: expect.stringMatching(/^\d{4}_/) }),
    ]);
    expect(existsSync(join(databaseHome(), "data", "PG_VERSION"))).toBe(true);
    expect(existsSync(join(databaseHome(), "data", "postmaster.pid"))).toBe(false);
  }, 300_000);

  test("S-413: its terminal is closed: it ends as with SIGTERM, and its database with it", async () => {
    const third = new Process(["start", "--port", "0", "--data", data]);
    await third.says(`Data: ${data}\n`);
    third.child.kill("SIGHUP");
    expect(await third.ended).toBe(0);
    expect(existsSync(join(databaseHome(), "data", "postmaster.pid"))).toBe(false);
  }, 300_000);
});

test("check says what is wrong with a folder, by file", async () => {
  const fine = await run("check", "workspace");
  expect([fine.code, fine.out]).toEqual([0, expect.stringContaining("is in order")]);
  const empty = await run("check", folder);
  expect([empty.code, empty.out]).toEqual([1, expect.stringContaining("wheelhouse.yaml:1:1 is missing")]);
}, 300_000);

test("what it says reaches a slow reader whole, however long it is", async () => {
  const long = mkdtempSync(join(folder, "long-"));
  mkdirSync(join(long, "flows"));
  writeFileSync(join(long, "wheelhouse.yaml"), readFileSync(join(root, "workspace", "wheelhouse.yaml")));
  const nodes = Array.from({ length: 5_000 }, (_, index) => `  n${index}: { type: ${"x".repeat(80)} }\n`);
  writeFileSync(join(long, "flows", "a.yaml"), `id: a\nname: A\nowner: user_ada\nnodes:\n${nodes.join("")}`);
  const { code, out } = await run("check", long);
  expect([code, out.trimEnd().split("\n").length]).toEqual([1, nodes.length + 1]);
}, 300_000);
