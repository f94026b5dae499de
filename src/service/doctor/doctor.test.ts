import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { type DatabaseProxy, databaseProxy } from "../../testing/database-proxy.ts";
import { freePort } from "../../testing/free-port.ts";
import { s3Keys, startS3Server } from "../../testing/s3-server.ts";
import { doctor } from "../cli/doctor.ts";
import { parseCommand } from "../cli/parse-command.ts";
import { instanceOf } from "../credentials/instance.ts";
import type { Finding } from "./finding.ts";

const secret = "s".repeat(40);
const sample = resolve(import.meta.dirname, "../../../workspace");
let folder: string;
let fresh: FreshStore;
let server: Server;
let port: number;
/** What the server that stands for all others answers. */
let answer: (path: string, host: string) => { status: number; body: string };
const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });

beforeAll(async () => {
  fresh = await freshStore();
  server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? "", request.headers.host ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await new Promise((closed) => server.close(closed));
  await fresh.drop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-doctor-"));
  answer = () => json({}, 404);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly code: number;
  readonly lines: readonly string[];
  of(check: string): Finding | undefined;
  readonly problems: readonly string[];
}

async function told(line: string, environment: Record<string, string> = {}, at = 0): Promise<Told> {
  const flags = [
    "--data",
    join(folder, "data"),
    "--port",
    String(at),
    "--json",
    ...line.split(" ").filter(Boolean),
  ];
  const command = parseCommand(["doctor", ...flags], { PATH: process.env.PATH, ...environment }, folder);
  if (command.type !== "doctor") throw new Error("not the command that was asked for");
  const lines: string[] = [];
  const terminal = { print: (text: string) => lines.push(text), complain: () => undefined };
  const code = await doctor(command.config, command, terminal);
  const said: { ok: boolean; findings: Finding[] } = JSON.parse(lines[0] ?? "");
  expect(said.ok).toBe(code === 0);
  return {
    ...{ code, lines },
    of: (check) => said.findings.find((finding) => finding.check === check),
    problems: said.findings.filter(({ state }) => state === "problem").map(({ check }) => check),
  };
}
const shared = (url = fresh.url) => ({ DATABASE_URL: url, WHEELHOUSE_SECRET: secret });

describe("wheelhouse doctor", () => {
  it("tries an object store for files, and says which setting of it is wrong", async () => {
    const store = await startS3Server();
    const { accessKeyId, secretAccessKey } = s3Keys;
    const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
    const looked = async (place: string, environment: Record<string, string>) => {
      const set = { ...shared(), ...keys, AWS_ENDPOINT_URL_S3: store.endpoint, ...environment };
      return (await told(`--files ${place}`, set)).of("files.bucket");
    };
    try {
      expect(await looked("s3://wheelhouse/live", { AWS_REGION: "eu-test-1" })).toMatchObject({
        state: "ok",
      });
      expect(await looked("s3://wheelhouse/live", { AWS_REGION: "eu-west-1" })).toMatchObject({
        ...{ state: "problem", found: expect.stringContaining("in the region eu-test-1") },
        action: "Set AWS_REGION=eu-test-1",
      });
    } finally {
      await store.stop();
    }
  });

  it("finds nothing wrong with a machine before its first start, and makes nothing", async () => {
    const { code, problems, of } = await told("");
    expect([code, problems]).toEqual([0, []]);
    expect(of("data.folder")?.found).toContain("is made at the first start");
    expect(of("database.reach")?.state).toBe("skipped");
    expect(of("workspace")).toMatchObject({ state: "ok" });
    expect(of("mcp.almanac")).toMatchObject({ state: "ok", found: expect.stringContaining("node") });
  });

  it("finds nothing wrong with a database that fits", async () => {
    const { problems, of } = await told("--files bytes", shared());
    expect(problems).toEqual([]);
    for (const check of ["reach", "version", "schema", "signals", "clock", "search"])
      expect(of(`database.${check}`)).toMatchObject({ state: "ok" });
  });

  it("names what is missing beside a shared database", async () => {
    const { code, problems } = await told("", { DATABASE_URL: fresh.url });
    expect([code, problems]).toEqual([1, ["secret", "files.folder"]]);
  });

  it("says of a database that does not answer why, without its password", async () => {
    const { problems, lines, of } = await told(
      "--files bytes",
      shared(`postgresql://me:hunter2@127.0.0.1:${await freePort()}/db`),
    );
    expect(problems).toEqual(["database.reach"]);
    expect(of("database.reach")?.found).toContain("ECONNREFUSED");
    expect(lines.join()).not.toContain("hunter2");
  });

  it("tells a database of a newer release from one that the next start brings up to date", async () => {
    const { store } = fresh;
    const before = await store.pool.query("select name from migrations order by name desc limit 1");
    const newest: string = before.rows[0]?.name;
    await store.pool.query("delete from migrations where name = $1", [newest]);
    expect((await told("--files bytes", shared())).of("database.schema")?.found).toContain(newest);
    await store.pool.query("insert into migrations (name) values ($1), ('9999_later')", [newest]);
    const newer = await told("--files bytes", shared());
    expect(newer.problems).toEqual(["database.schema"]);
    expect(newer.of("database.schema")?.found).toContain("9999_later");
    await store.pool.query("delete from migrations where name = '9999_later'");
  });

  it("ends with what it knows where the database falls silent in the middle", async () => {
    const proxy: DatabaseProxy = await databaseProxy(fresh.url);
    proxy.muteAt((sent) => sent.includes("listen wheelhouse_doctor"));
    const { problems, of } = await told("--files bytes", shared(proxy.url));
    expect(problems).toEqual(["database.reach"]);
    expect(of("database.reach")?.found).toMatch(/^It stopped answering/);
    await proxy.close();
  });

  it("asks the trace collector that is named, and nobody where none is", async () => {
    const key = "Bearer%20key-of-the-collector";
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${key}`,
    };
    expect((await told("")).of("traces")).toBeUndefined();
    answer = (path) => json({}, path === "/v1/traces" ? 200 : 404);
    expect((await told("", variables)).of("traces")).toMatchObject({ state: "ok" });
    answer = () => json({}, 401);
    const refused = await told("", variables);
    expect(refused.problems).toEqual(["traces"]);
    expect(refused.of("traces")?.found).toMatch(/takes nothing: it answered 401$/);
    expect(refused.lines.join()).not.toContain("key-of");
  });

  it("looks at rights, at folders that cannot be written, and at a secret that is none", async () => {
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o755 });
    chmodSync(data, 0o755);
    writeFileSync(join(data, "secret"), "short\n", { mode: 0o600 });
    writeFileSync(join(folder, "file"), "");
    const { of, problems } = await told(`--files ${join(folder, "file", "below")}`);
    expect(of("data.folder")).toMatchObject({
      state: "warning",
      action: expect.stringContaining("chmod 700"),
    });
    expect(problems).toEqual(["secret", "files.folder"]);
    writeFileSync(join(data, "secret"), `${secret}\n`, { mode: 0o600 });
    chmodSync(join(data, "secret"), 0o644);
    expect((await told("")).of("secret")).toMatchObject({ state: "warning" });
  });

  it("says what is wrong with a workspace, by file and line, and that there is none", async () => {
    mkdirSync(join(folder, "broken"));
    writeFileSync(join(folder, "broken", "wheelhouse.yaml"), "people: 7\n");
    expect((await told("--workspace broken")).of("workspace")).toMatchObject({
      state: "problem",
      found: expect.stringContaining("wheelhouse.yaml:1"),
    });
    expect((await told("--workspace nowhere")).problems).toContain("workspace");
  });
});

describe("who is reached from here", () => {
  const local = (more = {}) => ({
    WHEELHOUSE_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${port}/v1`,
    WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "good",
    WHEELHOUSE_OPENAI_COMPATIBLE_KEY: "sk-canary",
    ...more,
  });

  it("a model that is there, one that is not listed, a key that is refused, an address where nobody is", async () => {
    answer = (path) => (path === "/v1/models" ? json({ data: [{ id: "good" }] }) : json({}, 404));
    expect((await told("", local())).of("models.local")).toMatchObject({ state: "ok" });
    const other = { WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "good,other" };
    expect((await told("", local(other))).of("models.local")).toMatchObject({
      state: "warning",
      found: expect.stringContaining("other"),
    });
    answer = () => json({}, 401);
    const refused = await told("", local());
    expect(refused.of("models.local")).toMatchObject({
      state: "problem",
      action: expect.stringContaining("WHEELHOUSE_OPENAI_COMPATIBLE_KEY"),
    });
    expect(refused.lines.join()).not.toContain("sk-canary");
    const nowhere = { WHEELHOUSE_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${await freePort()}/v1` };
    expect((await told("", local(nowhere))).problems).toEqual(["models.local"]);
  });

  it("an MCP server that answers, one that does not, a command that is missing, a variable that is not set", async () => {
    const mcpServers = {
      there: { url: `http://127.0.0.1:${port}/mcp` },
      away: { url: `http://127.0.0.1:${await freePort()}/mcp` },
      command: { command: "no-such-command-here" },
      unset: { url: `http://127.0.0.1:${port}/mcp`, headers: { authorization: ["$", "{TOKEN}"].join("") } },
    };
    const workspace = join(folder, "mine");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
    answer = () => json({}, 401);
    const { of } = await told("--workspace mine");
    expect(of("mcp.there")).toMatchObject({ state: "ok" });
    expect(of("mcp.away")).toMatchObject({ state: "problem" });
    expect(of("mcp.command")).toMatchObject({ state: "problem" });
    expect(of("mcp.unset")).toMatchObject({ state: "warning", found: expect.stringContaining("TOKEN") });
  });

  it("the port and the public address: this service, another one, a page of somebody else", async () => {
    mkdirSync(join(folder, "data"), { mode: 0o700 });
    writeFileSync(join(folder, "data", "secret"), `${secret}\n`, { mode: 0o600 });
    const wheelhouse = (instance: string) => json({ service: "wheelhouse", instance });
    const lookAt = (publicUrl: string) => told(`--public-url ${publicUrl}`, {}, port);
    const here = `http://127.0.0.1:${port}`;
    /** What people's name leads to. */
    const proxy = `localhost:${port}`;

    answer = () => wheelhouse(instanceOf(secret));
    const ours = await lookAt(here);
    expect([ours.of("address.port")?.state, ours.of("address.public")?.state]).toEqual(["ok", "ok"]);

    answer = (_path, host) => (host === proxy ? wheelhouse("another") : wheelhouse(instanceOf(secret)));
    expect((await lookAt(`http://${proxy}`)).problems).toEqual(["address.public"]);

    answer = (_path, host) =>
      host === proxy ? { status: 200, body: "<h1>Hi" } : wheelhouse(instanceOf(secret));
    expect((await lookAt(`http://${proxy}`)).problems).toEqual(["address.public"]);

    answer = (_path, host) => (host === proxy ? json({}, 301) : wheelhouse(instanceOf(secret)));
    expect((await lookAt(`http://${proxy}`)).of("address.public")).toMatchObject({
      ...{ state: "problem", found: expect.stringContaining("redirects") },
      action: expect.stringContaining("--public-url"),
    });
    // People may reach it all the same.
    expect((await lookAt(`http://127.0.0.1:${await freePort()}`)).of("address.public")).toMatchObject({
      ...{ state: "warning", found: expect.stringContaining("ECONNREFUSED") },
      action: expect.stringContaining("the proxy"),
    });

    answer = (_path, host) => (host === proxy ? json({}, 421) : wheelhouse(instanceOf(secret)));
    expect((await lookAt(`http://${proxy}`)).of("address.public")).toMatchObject({
      state: "problem",
      action: expect.stringContaining("--allowed-host"),
    });

    answer = () => json({}, 404);
    expect((await lookAt(here)).problems).toEqual(["address.port"]);
  });
});

it("S-428: does not say that another Wheelhouse has the port where it has no secret to tell by", async () => {
  answer = () => json({ service: "wheelhouse", instance: instanceOf(secret) });
  const without = await told("--files bytes", { DATABASE_URL: fresh.url }, port);
  expect(without.of("address.port")).toMatchObject({
    state: "warning",
    found: `A Wheelhouse has port ${port}; whether it is this one cannot be told without its secret`,
    action: expect.stringContaining("WHEELHOUSE_SECRET"),
  });
  const other = await told("--files bytes", { ...shared(), WHEELHOUSE_SECRET: "x".repeat(40) }, port);
  expect(other.of("address.port")).toMatchObject({
    state: "problem",
    found: `Another Wheelhouse has port ${port}`,
  });
});

it("speaks to people in lines, each with what to do, and counts at the end", async () => {
  const command = parseCommand(
    ["doctor", "--workspace", join(folder, "nowhere"), "--data", join(folder, "data")],
    {},
    sample,
  );
  if (command.type !== "doctor") throw new Error("not the command that was asked for");
  const lines: string[] = [];
  const code = await doctor(command.config, command, {
    print: (text) => lines.push(text),
    complain: () => undefined,
  });
  expect(code).toBe(1);
  expect(lines.find((line) => line.startsWith("PROBLEM"))).toMatch(
    /^PROBLEM {2}workspace +There is no folder /,
  );
  expect(lines.at(-1)).toMatch(/^Wheelhouse \d+\.\d+\.\d+: \d+ problems?, \d+ warnings?$/);
});
