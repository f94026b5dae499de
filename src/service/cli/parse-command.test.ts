import { userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import type { Config } from "../config.ts";
import { type Command, parseCommand } from "./parse-command.ts";
import { UsageError } from "./usage-error.ts";

const cwd = "/somewhere";
const parse = (line: string, environment: Config["environment"] = {}) =>
  parseCommand(line.split(" ").filter(Boolean), environment, cwd);
const start = (line: string, environment: Config["environment"] = {}): Config => {
  const command = parse(`start ${line}`, environment);
  if (command.type !== "start") throw new Error("not a start");
  return command.config;
};
const sentence = (line: string, environment: Config["environment"] = {}) => {
  try {
    parse(line, environment);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "accepted";
};

describe("a start without flags", () => {
  test("listens on loopback port 7700, keeps its data below the package and loads the sample workspace", () => {
    const config = start("");
    const root = join(import.meta.dirname, "../../..");
    expect(config).toMatchObject({
      port: 7700,
      host: "127.0.0.1",
      dataDirectory: join(root, ".wheelhouse"),
      filesAt: { type: "folder", path: join(root, ".wheelhouse", "files") },
      filesAlsoAt: null,
      workspaceDirectory: join(root, "workspace"),
      consoleDirectory: join(root, "dist", "console"),
      upstreams: [],
      publicUrl: null,
      databaseUrl: null,
      secret: null,
    });
    expect(config.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("takes PORT from the environment, and --port before it", () => {
    expect(start("", { PORT: "8123" }).port).toBe(8123);
    expect(start("--port 9000", { PORT: "8123" }).port).toBe(9000);
    expect(start("", { PORT: "" }).port).toBe(7700);
  });
});

test("relative folders start from where the command was typed", () => {
  const config = start("--data mine --files bytes --empty");
  expect(config).toMatchObject({
    dataDirectory: "/somewhere/mine",
    filesAt: { type: "folder", path: "/somewhere/bytes" },
    empty: true,
  });
});

test("S-82: further hosts come from the flag, as often as it is given, and from the environment", () => {
  const hosts = (line: string, variable?: string) =>
    start(line, variable === undefined ? {} : { WHEELHOUSE_ALLOWED_HOSTS: variable }).allowedHosts;
  expect(hosts("")).toEqual([]);
  expect(hosts("--allowed-host A.example --allowed-host b", "c.lan, [::1]")).toEqual([
    "a.example",
    "b",
    "c.lan",
    "[::1]",
  ]);
  for (const wrong of ["a:80", "http://a", "*", "a/b", "a..b"]) {
    expect(sentence(`start --allowed-host ${wrong}`)).toMatch(
      /^--allowed-host must be a host without a port/,
    );
  }
  expect(sentence("start", { WHEELHOUSE_ALLOWED_HOSTS: "a:80" })).toMatch(
    /^WHEELHOUSE_ALLOWED_HOSTS must be/,
  );
});

test("metrics are served nowhere, or where the flag says: a port of this machine, or an address and a port", () => {
  expect(start("").metrics).toBeNull();
  expect(start("--metrics 9464").metrics).toEqual({ host: "127.0.0.1", port: 9464 });
  expect(start("--metrics 0.0.0.0:9464").metrics).toEqual({ host: "0.0.0.0", port: 9464 });
  expect(start("--metrics [::1]:9464").metrics).toEqual({ host: "::1", port: 9464 });
  for (const wrong of ["no", "70000", "http://a:1", ":9464"])
    expect(sentence(`start --metrics ${wrong}`)).toMatch(/^--metrics must be a port/);
});

test("it stops at once, or goes on answering for as long as it is told to", () => {
  expect(start("").drainSeconds).toBe(0);
  expect(start("--drain 5").drainSeconds).toBe(5);
  for (const wrong of ["-1", "21", "5s"])
    expect(sentence(`start --drain=${wrong}`)).toMatch(/^--drain must be a number of seconds from 0 to 20/);
  expect(sentence("worker --drain 5")).toMatch(/^--drain is no flag of worker/);
});

test("its pool of connections has the usual size, or the one that it is told", () => {
  expect(start("").connections).toBeNull();
  expect(start("--connections 40").connections).toBe(40);
  for (const wrong of ["4", "1000", "many"])
    expect(sentence(`worker --connections ${wrong}`)).toMatch(
      /^--connections must be a number from 5 to 999/,
    );
});

test("several upstreams are kept by name, without the slash at their end", () => {
  const { upstreams } = start(
    "--upstream one=https://one.example/api/v1/ --upstream two=http://10.0.0.2:8080/api/v1",
  );
  expect(upstreams).toEqual([
    { name: "one", url: "https://one.example/api/v1" },
    { name: "two", url: "http://10.0.0.2:8080/api/v1" },
  ]);
});

test("the database of the environment is used with a secret and a folder for files", () => {
  const secret = "s".repeat(32);
  const config = start("--files /shared", {
    DATABASE_URL: "postgresql://u@/db?host=/run/pg",
    WHEELHOUSE_SECRET: secret,
  });
  expect(config).toMatchObject({
    databaseUrl: "postgresql://u@/db?host=/run/pg",
    secret,
    filesAt: { type: "folder", path: "/shared" },
  });
});

test.each<[string, Config["environment"], RegExp]>([
  ["launch", {}, /no command "launch"/],
  ["constructor", {}, /no command "constructor"/],
  ["__proto__ --port 1", {}, /no command "__proto__"/],
  ["start --prot 1", {}, /--prot/],
  ["start --port 70000", {}, /^--port must be/],
  ["start --port 1e3", {}, /^--port must be/],
  ["start", { PORT: "many" }, /^PORT must be/],
  ["start --port 1 --port 2", {}, /--port is given more than once/],
  ["start --port", {}, /--port/],
  ["start --upstream https://x.example", {}, /^--upstream must be NAME=URL/],
  ["start --upstream x=file:///etc/passwd", {}, /^--upstream must be/],
  ["start --upstream x=https://user:pass@x.example/api/v1", {}, /^--upstream must be/],
  ["start --upstream a=http://a.example --upstream A=http://b.example", {}, /--upstream.*more than once/],
  ["start --public-url wheelhouse.example", {}, /^--public-url must be/],
  ["start --concurrency 0", {}, /^--concurrency must be/],
  ["start --workspace nowhere", {}, /^--workspace: there is no folder \/somewhere\/nowhere/],
  ["start --person user_ada", {}, /--person is no flag of start/],
  ["start extra", {}, /"extra"/],
  ["worker --host 0.0.0.0", {}, /--host is no flag of worker/],
  ["start", { DATABASE_URL: "postgres://x/y" }, /WHEELHOUSE_SECRET is required with DATABASE_URL/],
  [
    "start",
    { DATABASE_URL: "postgres://x/y", WHEELHOUSE_SECRET: "s".repeat(32) },
    /--files PLACE is required/,
  ],
  [
    "start --files x",
    { DATABASE_URL: "mysql://x/y", WHEELHOUSE_SECRET: "s".repeat(32) },
    /^DATABASE_URL must be/,
  ],
  ["start", { WHEELHOUSE_SECRET: "short" }, /^WHEELHOUSE_SECRET needs at least 32/],
  ["keys", {}, /create, list or revoke/],
  ["keys create", {}, /either --person ID or --team ID/],
  ["keys create --person a --team b", {}, /either --person ID or --team ID/],
  ["keys list --person a", {}, /belong to keys create/],
  ["keys create --person a --name \u3164", {}, /--name takes a name/],
  [`keys create --person a --name ${"x".repeat(201)}`, {}, /of 1 to 200 characters/],
  ["keys revoke", {}, /keys revoke takes the id/],
  ["check", {}, /check takes a directory/],
  ["sign-in-link", {}, /sign-in-link takes --person ID/],
  ["sign-in-link --person a --team b", {}, /--team is no flag of sign-in-link/],
])("`%s` is refused in one line that names the fault", (line, environment, expected) => {
  const message = sentence(line, environment);
  expect(message).toMatch(expected);
  expect(message).not.toContain("\n");
});

test.each([
  ["start", "--data"],
  ["start", "--workspace"],
  ["start", "--files"],
  ["start", "--files-also"],
  ["files move", "--to"],
  ["upgrade --check", "--copy"],
  ["audit verify", "--former-secrets"],
])('`%s %s ""` is refused rather than taken for the folder where one is', (line, flag) => {
  expect(sentence(`${line} ${flag}=`)).toBe(`${flag} must not be empty; see --help`);
});

test("the doctor takes all flags of a start, as the help says", () => {
  const flags =
    "--port 1 --host 0.0.0.0 --upstream a=https://a.example --public-url https://w.example --allowed-host w.lan --data d --empty --files f --files-also g --concurrency 3 --connections 9 --drain 5 --metrics 9464";
  expect(sentence(`start ${flags}`)).toBe("accepted");
  expect(sentence(`doctor ${flags} --json`)).toBe("accepted");
});

test("keys can be made beside a shared database without its files and secret", () => {
  const command = parse("keys list", { DATABASE_URL: "postgres://u@x/y" });
  expect(command).toMatchObject({ type: "keys", config: { databaseUrl: "postgres://u@x/y" } });
});

test("a wrong value is not repeated: it may hold a password", () => {
  const secret = "s".repeat(32);
  expect(
    sentence("start --files x", { DATABASE_URL: "mysql://u:hunter2@x/y", WHEELHOUSE_SECRET: secret }),
  ).not.toContain("hunter2");
  expect(sentence("start --upstream x=https://u:hunter2@x.example")).not.toContain("hunter2");
});

test.each<[string, Partial<Command> | object]>([
  ["", { type: "help" }],
  ["start --help", { type: "help" }],
  ["keys list", { type: "keys", action: { type: "list" } }],
  ["keys revoke key_1", { type: "keys", action: { type: "revoke", id: "key_1" } }],
  [
    "keys create --team team_harbor --name ci",
    { action: { type: "create", owner: { kind: "team", id: "team_harbor" }, name: "ci" } },
  ],
  [
    "sign-in-link --person user_ada --port 8000",
    { type: "sign-in-link", person: "user_ada", config: { port: 8000 } },
  ],
  ["check folder", { type: "check", directory: "/somewhere/folder" }],
  ["worker --concurrency 3", { type: "worker", config: { concurrency: 3 } }],
])("`%s` is understood", (line, expected) => {
  expect(parse(line)).toMatchObject(expected);
});

describe("S-427: an address of a database that names no user or no database", () => {
  const addressOf = (url: string, more: Readonly<Record<string, string>> = {}) => {
    const command = parse("keys list", { DATABASE_URL: url, ...more });
    return "config" in command ? command.config.databaseUrl : null;
  };
  const account = userInfo().username;

  test.each([
    ["postgres://localhost", `postgres://${account}@localhost`],
    ["postgres://localhost/db", `postgres://${account}@localhost/db`],
    ["postgresql:///db?host=/run/pg", `postgresql://${account}@/db?host=/run/pg`],
    ["postgres://@localhost/db", `postgres://${account}@localhost/db`],
    ["postgres://:secret@localhost/db", `postgres://${account}:secret@localhost/db`],
  ])("%s is for the account that runs the command, where USER is not set", (url, expected) => {
    expect(addressOf(url)).toBe(expected);
    expect(new pg.Client({ connectionString: expected }).user).toBe(account);
  });

  test("is left as it is where somebody names the user, and then the database has their name", () => {
    for (const url of [
      "postgres://ada@localhost",
      "postgres://localhost?user=ada",
      "postgres://ada@/?host=/run/pg",
    ]) {
      expect(addressOf(url)).toBe(url);
      expect(new pg.Client({ connectionString: url }).database).toBe("ada");
    }
    expect(addressOf("postgres://localhost", { PGUSER: "ada" })).toBe("postgres://localhost");
  });
});

describe("files", () => {
  const keys = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "a secret" };

  test("are adopted where they lie, or moved to another place", () => {
    expect(parse("files adopt --files f")).toMatchObject({ type: "files-adopt" });
    expect(parse("files move --files f --to s3://bucket/p --rate 2M --verify", keys)).toMatchObject({
      ...{ type: "files-move", rate: 2_000_000, verify: true, json: false },
      ...{ config: { filesAt: { path: "/somewhere/f" } }, to: { bucket: "bucket", prefix: "p" } },
    });
  });

  test.each([
    ["files", /^files takes adopt or move/],
    ["files move", /^files move takes --to PLACE/],
    ["files move --files f --to ./f", /^--to must be another place/],
    ["files move --to s3://b/p", /^--to must be s3:\/\/BUCKET/],
    ["files adopt --to f", /^--to, --rate, --verify and --json belong to files move/],
    ["files move --to f --rate slow", /^--rate must be bytes a second/],
    ["start --to f", /^--to is no flag of start/],
    ["restore x --files-also f", /^--files-also is no flag of restore/],
  ])("`%s` is refused in one line", (line, expected) => {
    expect(sentence(line, keys)).toMatch(expected);
  });
});

describe("retention", () => {
  test("deletes, previews or compacts, and needs no secret, but the folder of the files", () => {
    const database = { DATABASE_URL: "postgres://localhost/db" };
    const action = (line: string) => {
      const command = parse(`retention --files f ${line}`, database);
      return command.type === "retention" ? command.action : command.type;
    };
    expect([action(""), action("--preview"), action("--compact")]).toEqual(["delete", "preview", "compact"]);
    expect(sentence("retention", database)).toMatch(/^--files PLACE is required/);
    expect(sentence("retention --preview --compact")).toBe(
      "retention takes --preview or --compact; see --help",
    );
    expect(sentence("start --preview")).toBe("--preview is no flag of start; see --help");
  });
});
