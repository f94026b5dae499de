import { tmpdir } from "node:os";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { readModelSettings } from "../models/settings.ts";
import { openStore } from "../store/store.ts";
import { options, parseCommand } from "./parse-command.ts";

/** Never to be repeated: what is wrong may be a password in the wrong place. */
const canary = "hunter2";
const models = { OPENAI_API_KEY: "sk-1", ANTHROPIC_API_KEY: "sk-2" };
const local = {
  WHEELHOUSE_OPENAI_COMPATIBLE_URL: "http://127.0.0.1:9/v1",
  WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "m",
};

/** What a start says of these arguments and variables. */
function said(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  try {
    const command = parseCommand(["start", ...args], environment, tmpdir());
    if ("config" in command) readModelSettings(command.config.environment);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const numbers = [" ", "-1", "NaN", "Infinity", "1e3", "0x10", "1.5", "5s", "True", '"10"', "9".repeat(30)];
const addresses = [
  `"https://x.example/v1"`,
  `https://u:${canary}@x.example/v1`,
  `https://x.example/v1?key=${canary}`,
  `https://x.example/v1#${canary}`,
  "x.example/v1",
];

const variables: Readonly<Record<string, readonly string[]>> = {
  PORT: numbers,
  WHEELHOUSE_SECRET: [" ".repeat(40), `${" ".repeat(20)}${canary}${" ".repeat(20)}`],
  DATABASE_URL: [
    ` `,
    `"postgres://u:${canary}@x/y"`,
    `x:5432/${canary}`,
    `postgres://u:${canary}@x:port/y`,
    `postgres://u:${canary}@x:99999/y`,
    // Special characters of a password.
    `postgres://u:${canary}#@x/y`,
  ],
  OPENAI_API_KEY: [`"${canary}"`, `“${canary}”`, `${canary} ${canary}`, `${canary}\n${canary}`],
  ANTHROPIC_API_KEY: [`'${canary}'`],
  WHEELHOUSE_OPENAI_COMPATIBLE_KEY: [`"${canary}"`],
  WHEELHOUSE_OPENAI_MODELS: [`"${canary}"`],
  OPENAI_BASE_URL: addresses,
  ANTHROPIC_BASE_URL: addresses,
  WHEELHOUSE_OPENAI_COMPATIBLE_URL: addresses,
  WHEELHOUSE_OPENAI_CONTEXT: ["-1", "NaN", "Infinity", "1.5", "200k", "True", "9".repeat(30), '"8000"'],
};

describe("S-377: a variable that was written carelessly is refused in one line that names it", () => {
  const cases = Object.entries(variables).flatMap(([name, values]) => values.map((value) => [name, value]));
  test.each(cases)("%s=%s", (name = "", value = "") => {
    const others = name === "DATABASE_URL" ? { WHEELHOUSE_SECRET: "s".repeat(32) } : { ...models, ...local };
    const files = name === "DATABASE_URL" ? ["--files", "f"] : [];
    const message = said(files, { ...others, [name]: value });
    expect(message).toContain(name);
    expect(message).not.toMatch(new RegExp(`${canary}|\\n`));
  });

  test.each(["MODELS", "KEY", "NAME", "CONTEXT"])(
    "WHEELHOUSE_OPENAI_COMPATIBLE_%s without its URL",
    (name) => {
      const message = said([], { [`WHEELHOUSE_OPENAI_COMPATIBLE_${name}`]: canary });
      expect(message).toContain("WHEELHOUSE_OPENAI_COMPATIBLE_URL");
      expect(message).toContain(`WHEELHOUSE_OPENAI_COMPATIBLE_${name}`);
      expect(message).not.toContain(canary);
    },
  );

  test("blanks and a slash at its end are no fault", () => {
    expect(
      said([], { ...models, OPENAI_API_KEY: " sk-1\n", OPENAI_BASE_URL: " https://x.example/v1/ " }),
    ).toBe("accepted");
    const secret = "s".repeat(32);
    const socket = { WHEELHOUSE_SECRET: secret, DATABASE_URL: "postgresql://app@/wheelhouse?host=/run/pg" };
    expect(said(["--files", "f"], socket)).toBe("accepted");
  });
});

describe("S-377: a flag that was written carelessly is refused in one line that names it", () => {
  const flags = Object.entries(options).flatMap(([flag, { type }]) => (type === "string" ? [[flag]] : []));
  test.each(flags)("--%s with a blank", (flag) => {
    expect(said([`--${flag}`, " "])).toContain(`--${flag}`);
  });

  const counts = ["port", "concurrency", "connections", "drain", "metrics"];
  test.each(counts.flatMap((flag) => numbers.map((value) => [flag, value])))("--%s=%s", (flag, value) => {
    expect(said([`--${flag}=${value}`])).toContain(`--${flag}`);
  });

  test.each([...addresses, `https://x.example/${canary}`])("--public-url %s", (value) => {
    const message = said(["--public-url", value]);
    expect(message).toContain("--public-url");
    expect(message).not.toContain(canary);
  });

  test.each(["s3:/bucket/live", "S3:/bucket", "file:/srv/files"])("--files %s", (value) => {
    expect(said(["--files", value])).toContain("--files");
  });
});

test("S-377: what the driver of the database refuses in DATABASE_URL names it as well", async () => {
  const databaseUrl = `postgres://u:${canary}@127.0.0.1:1/y?sslmode=verify-full&sslrootcert=/nowhere.pem`;
  const opening = openStore({ databaseUrl, dataDirectory: tmpdir(), log: pino({ level: "silent" }) });
  await expect(opening).rejects.toThrow(/^DATABASE_URL: .*\/nowhere\.pem/);
});
