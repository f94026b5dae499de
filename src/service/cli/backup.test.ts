import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { freePort } from "../../testing/free-port.ts";
import { createPrograms, untilReady } from "../../testing/programs.ts";
import { until } from "../../testing/until.ts";
import { parseCommand } from "./parse-command.ts";
import { UsageError } from "./usage-error.ts";

const folder = testFolder();
const programs = createPrograms();

async function run(...args: string[]) {
  const { said, code } = programs.start(args);
  return { code: await code, ...said };
}

async function serving(data: string) {
  const port = await freePort();
  const service = programs.start(["start", "--port", String(port), "--data", data]);
  await untilReady(service, port);
  await until("it has greeted", () => service.said.out.includes("Data: "));
  return { ...service, readiness: async () => await (await fetch(`http://127.0.0.1:${port}/readyz`)).text() };
}

/** Where the embedded database really is: root's may lie outside the data directory. */
function removeData(data: string): void {
  const marker = resolve(data, "postgres", "location");
  if (existsSync(marker)) rmSync(readFileSync(marker, "utf8").trim(), { recursive: true, force: true });
}

const [data, copy] = [folder.in("data"), folder.in("copy")];
afterAll(async () => {
  await programs.endAll("SIGTERM");
  removeData(data);
  removeData(copy);
  folder.remove();
});

describe("backup and restore on the command line", () => {
  const file = folder.in("some.backup");
  let original: Awaited<ReturnType<typeof serving>>;
  beforeAll(async () => {
    original = await serving(data);
  });

  it("I-8: take a backup of a running service, and make a copy of it that says it is paused until it is let go on", async () => {
    const made = await run("backup", file, "--data", data);
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining("The secret is not in it") });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
    const secret = readFileSync(resolve(data, "secret"), "utf8").trim();
    expect(readFileSync(file).includes(secret)).toBe(false);

    expect(await run("restore", file, "--data", copy)).toMatchObject({
      code: 1,
      err: expect.stringContaining("needs the secret"),
    });
    expect(existsSync(copy)).toBe(false);
    const whole = await run("backup", file, "--data", data, "--with-secret", "--json");
    expect(whole).toMatchObject({ code: 0, err: expect.stringContaining("THE BACKUP HOLDS THE SECRET") });
    expect(JSON.parse(whole.out)).toMatchObject({ ok: true, with_secret: true, missing_files: 0 });
    expect(readFileSync(file).includes(secret)).toBe(true);

    const restored = await run("restore", file, "--data", copy);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining("PAUSED") });
    expect(readFileSync(resolve(copy, "secret"), "utf8").trim()).toBe(secret);
    const second = await serving(copy);
    expect(second.said.out).toContain("PAUSED");
    expect(JSON.parse(await second.readiness())).toEqual({ status: "ready", paused: true });
    expect(JSON.parse(await original.readiness())).toEqual({ status: "ready" });
    expect(await run("resume", "--data", copy)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Work goes on"),
    });
    await until("it goes on", async () => !(await second.readiness()).includes("paused"));
  });

  it("S-98: refuse what is not there or not empty, and leave nothing", async () => {
    const json = async (...args: string[]) => {
      const { code, out } = await run(...args, "--json");
      return { code, kind: JSON.parse(out).kind };
    };
    expect(await json("backup", folder.in("none"), "--data", folder.in("nowhere"))).toEqual({
      code: 1,
      kind: "no_source",
    });
    expect(existsSync(folder.in("nowhere"))).toBe(false);
    expect(await json("backup", folder.in("no/folder"), "--data", data)).toEqual({
      code: 1,
      kind: "unwritable",
    });
    expect(await json("restore", file, "--data", data)).toEqual({ code: 1, kind: "not_empty" });
    expect(await json("restore", folder.in("nothing"), "--data", folder.in("new"))).toEqual({
      code: 1,
      kind: "unreadable",
    });
    writeFileSync(folder.in("cut"), readFileSync(file).subarray(0, 5_000));
    expect(await json("restore", folder.in("cut"), "--data", folder.in("new"))).toEqual({
      code: 1,
      kind: "truncated",
    });
    expect(existsSync(folder.in("new"))).toBe(false);
    // As one that was killed leaves it.
    writeFileSync(resolve(copy, "restore-unfinished"), "");
    expect(await run("keys", "list", "--data", copy)).toMatchObject({
      code: 1,
      err: expect.stringContaining("not whole"),
    });
  });
});

describe("a backup to what is no file of one's own", () => {
  it("S-415: replaces no device and no pipe that has the name, and says what to name in its place", async () => {
    const pipe = folder.in("pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await run("backup", pipe, "--data", data)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^[^\n]*pipe[^\n]*is no file[^\n]*\n$/),
    });
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it("S-415: goes where a link leads, which stays a link", async () => {
    writeFileSync(folder.in("newest.backup"), "");
    symlinkSync(folder.in("newest.backup"), folder.in("link"));
    expect(await run("backup", folder.in("link"), "--data", data)).toMatchObject({ code: 0 });
    expect(lstatSync(folder.in("link")).isSymbolicLink()).toBe(true);
    expect(lstatSync(folder.in("newest.backup")).size).toBeGreaterThan(1_000);
  });

  it("S-416: says in one line that whoever reads it has stopped", async () => {
    const { child, said, code } = programs.start(["backup", "-", "--data", data]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await code).toBe(1);
    expect(said.err).toMatch(/^Whoever reads the backup has stopped: [^\n]*\n$/);
  });
});

describe("the arguments of backup and restore", () => {
  const parsed = (...args: string[]) => parseCommand(args, {}, "/somewhere");

  it("are read", () => {
    expect(parsed("backup", "a.backup", "--rate", "20M", "--with-secret")).toMatchObject({
      ...{ type: "backup", file: "/somewhere/a.backup", rate: 20_000_000, withSecret: true, json: false },
    });
    expect(parsed("backup", "-")).toMatchObject({ file: null, rate: null });
    expect(parsed("restore", "a", "--data", "new")).toMatchObject({
      type: "restore",
      file: "/somewhere/a",
      check: false,
    });
    expect(parsed("restore", "a", "--check")).toMatchObject({ check: true });
  });

  it.each([
    [["backup"], "backup takes a FILE"],
    [["backup", "a", "b"], "backup takes a FILE"],
    [["backup", "a", "--rate", "fast"], "--rate"],
    [["backup", "a", "--rate", "10"], "--rate"],
    [["backup", "-", "--json"], "--json"],
    [["backup", "a", "--port", "1"], "--port"],
    [["restore", "a"], "--data DIR"],
    [["restore", "-", "--data", "new"], "restore takes a FILE"],
  ])("are refused by name: %j", (args, name) => {
    expect(() => parsed(...args)).toThrow(UsageError);
    expect(() => parsed(...args)).toThrow(name);
  });

  it("want a folder for files, and the secret, beside a DATABASE_URL", () => {
    const at = (...args: string[]) => parseCommand(args, { DATABASE_URL: "postgres://u@h/d" }, "/somewhere");
    expect(() => at("restore", "a")).toThrow("--files");
    expect(() => at("backup", "a", "--files", "b")).toThrow("WHEELHOUSE_SECRET");
  });
});
