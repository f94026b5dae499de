import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSources } from "../../testing/source-files.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { makeDataDirectory } from "../data-directory.ts";
import { ListenError, listen } from "../http/server.ts";
import { readModelSettings } from "../models/settings.ts";
import { auditVerify } from "./audit.ts";
import { options, parseCommand } from "./parse-command.ts";
import { portTaken } from "./port-taken.ts";

/** Never to be repeated: what is wrong may be a password in the wrong place. */
const canary = "hunter2";
const secret = "s".repeat(32);
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-settings-"));
beforeAll(() => writeFileSync(join(folder, "a-file"), ""));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a start, or another command, says of its command line and of its environment. */
function said(line: string, environment: Readonly<Record<string, string>> = {}): string {
  try {
    const command = parseCommand(line.split(" ").filter(Boolean), environment, folder);
    if ("config" in command) readModelSettings(command.config.environment);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Flag = keyof typeof options;
type ValueFlag = { [F in Flag]: (typeof options)[F]["type"] extends "string" ? F : never }[Flag];

/** A line that gives each flag a value that it cannot have; null: why its value is not known to be wrong here. */
const wrongFlags: Readonly<Record<ValueFlag, string | { readonly later: string }>> = {
  port: `start --port ${canary}`,
  host: "start --host=",
  data: { later: "where it is made: S-194" },
  workspace: "start --workspace a-file",
  upstream: `start --upstream x=https://u:${canary}@x.example`,
  "public-url": `start --public-url ${canary}.example`,
  "allowed-host": `start --allowed-host ${canary}:80`,
  files: "start --files a-file",
  "files-also": "start --files-also a-file",
  to: `files move --to gs://${canary}`,
  concurrency: `start --concurrency ${canary}`,
  connections: `worker --connections ${canary}`,
  drain: `start --drain ${canary}`,
  metrics: `worker --metrics ${canary}`,
  person: "sign-in-link",
  team: "keys create",
  name: { later: "any text is a name" },
  rate: `backup x --rate ${canary}`,
  copy: "upgrade --check --copy a-file",
  head: `audit verify --head ${canary}`,
  "former-secrets": { later: "where it is read: S-194" },
};

describe("S-194: a wrong flag is refused in one line that names it", () => {
  test.each(
    Object.entries(wrongFlags).flatMap(([flag, line]) => (typeof line === "string" ? [[flag, line]] : [])),
  )("--%s: %s", (flag, line) => {
    expect(said(line)).toContain(`--${flag}`);
    expect(said(line)).not.toMatch(new RegExp(`${canary}|\\n`));
  });

  test.each(Object.entries(options).flatMap(([flag, { type }]) => (type === "boolean" ? [[flag]] : [])))(
    "--%s takes no value",
    (flag) => expect(said(`start --${flag}=no`)).toContain(`--${flag}`),
  );
});

describe("S-194: what shows only when it is used names its flag as well", () => {
  const file = join(folder, "a-file");
  const configOf = (line: string) => {
    const command = parseCommand(line.split(" "), {}, folder);
    if (!("config" in command)) throw new Error("a command without a configuration");
    return command.config;
  };
  const log = pino({ level: "silent" });

  test("--data that is a file, and a secret in it that cannot be read", () => {
    expect(() => readServiceSecret({ secret: null, dataDirectory: file })).toThrow(/^--data: .*a-file/);
    expect(() => makeDataDirectory(join(file, "below"))).toThrow(/^--data: .*below cannot be used/);
    mkdirSync(join(folder, "data", "secret"), { recursive: true });
    expect(() => readServiceSecret({ secret: null, dataDirectory: join(folder, "data") })).toThrow(
      /^--data: .*secret .*EISDIR/,
    );
  });

  test("--former-secrets that is not there", async () => {
    const config = { ...configOf("audit verify"), secret };
    const verify = { head: null, formerSecrets: join(folder, "nowhere"), json: false };
    const terminal = { print: () => undefined, complain: () => undefined };
    await expect(auditVerify(config, verify, { log }, terminal)).rejects.toThrow(
      /^--former-secrets: .*nowhere cannot be read \(ENOENT\)$/,
    );
  });

  test("--host that this machine does not have", async () => {
    const lines: string[] = [];
    const terminal = { print: () => undefined, complain: (line: string) => lines.push(line) };
    const config = configOf("start --host 203.0.113.7 --port 7712");
    const error = await listen(
      { answer: () => false, fetch: async () => new Response() },
      config.host,
      config.port,
    ).catch((refused: unknown) => refused);
    if (!(error instanceof ListenError)) throw new Error("it listens");
    expect(await portTaken(config, "instance", error, log, terminal)).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/203\.0\.113\.7.*--host and --port/)]);
  });
});

const s3 = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "a secret" };
const openai = { OPENAI_API_KEY: "sk" };
const anthropic = { ANTHROPIC_API_KEY: "sk" };
const local = {
  WHEELHOUSE_OPENAI_COMPATIBLE_URL: "http://127.0.0.1:9/v1",
  WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "m",
};
const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

/** What each variable cannot be, beside what else has to be set for it to count. */
const wrongVariables: Readonly<Record<string, readonly [value: string, others?: Record<string, string>]>> = {
  PORT: [canary],
  DATABASE_URL: [`mysql://u:${canary}@x/y`, { WHEELHOUSE_SECRET: secret }],
  WHEELHOUSE_SECRET: [canary],
  WHEELHOUSE_ALLOWED_HOSTS: [`${canary}:80`],
  AWS_ACCESS_KEY_ID: ["", s3],
  AWS_SECRET_ACCESS_KEY: ["", s3],
  AWS_REGION: [`eu ${canary}`, s3],
  AWS_DEFAULT_REGION: [`eu ${canary}`, s3],
  AWS_ENDPOINT_URL_S3: [`http://u:${canary}@x`, s3],
  AWS_ENDPOINT_URL: [`${canary}:9000`, s3],
  OPENAI_API_KEY: [`${canary} ${canary}`],
  ANTHROPIC_API_KEY: [`${canary} ${canary}`],
  WHEELHOUSE_OPENAI_COMPATIBLE_KEY: [`${canary} ${canary}`, local],
  OPENAI_BASE_URL: [canary, openai],
  WHEELHOUSE_OPENAI_CONTEXT: [canary, openai],
  ANTHROPIC_BASE_URL: [canary, anthropic],
  WHEELHOUSE_ANTHROPIC_CONTEXT: [canary, anthropic],
  WHEELHOUSE_OPENAI_COMPATIBLE_URL: [canary, local],
  WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: ["", local],
  WHEELHOUSE_OPENAI_COMPATIBLE_NAME: [`${canary} x`, local],
  WHEELHOUSE_OPENAI_COMPATIBLE_CONTEXT: [canary, local],
  OTEL_SDK_DISABLED: [canary],
  OTEL_TRACES_EXPORTER: [canary],
  OTEL_EXPORTER_OTLP_ENDPOINT: [`${canary}:4318`],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [`grpc://${canary}`],
  OTEL_EXPORTER_OTLP_HEADERS: [canary, traced],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: [`a b=${canary}`, traced],
  OTEL_EXPORTER_OTLP_PROTOCOL: [canary, traced],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: [canary, traced],
  OTEL_EXPORTER_OTLP_COMPRESSION: [canary, traced],
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: [canary, traced],
  OTEL_EXPORTER_OTLP_TIMEOUT: [canary, traced],
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: [canary, traced],
  OTEL_EXPORTER_OTLP_CERTIFICATE: [canary, traced],
  OTEL_BSP_SCHEDULE_DELAY: [canary, traced],
  OTEL_RESOURCE_ATTRIBUTES: [canary, traced],
  OTEL_TRACES_SAMPLER: [canary, traced],
  OTEL_TRACES_SAMPLER_ARG: [canary, { ...traced, OTEL_TRACES_SAMPLER: "traceidratio" }],
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: [canary, traced],
};

/** No value of these is wrong by itself: keys, lists of names, and what is for others. */
const anyText = [
  ...["AWS_SESSION_TOKEN", "WHEELHOUSE_OPENAI_MODELS", "WHEELHOUSE_ANTHROPIC_MODELS", "OTEL_SERVICE_NAME"],
  // Node's own, and what only `npm run dev` and tests set.
  ...["NODE_EXTRA_CA_CERTS", "WHEELHOUSE_CHECK_ANSWERS"],
  // Keys and secrets by names that a workspace chooses: S-194 of the start.
  ...["WHEELHOUSE_ADA_KEY", "WHEELHOUSE_OIDC_SECRET"],
];

describe("S-194: a wrong variable is refused in one line that names it", () => {
  test.each(Object.entries(wrongVariables))("%s=%s", (variable, [value, others = {}]) => {
    const database = variable === "DATABASE_URL" ? "--files f" : "";
    const files = variable.startsWith("AWS_") ? "--files s3://bucket" : database;
    const message = said(`start ${files}`, { ...others, [variable]: value });
    expect(message).toContain(variable);
    expect(message).not.toMatch(new RegExp(`${canary}|\\n`));
    if (Object.keys(others).length > 0 && value !== "")
      expect(said(`start ${files}`, others)).toBe("accepted");
  });

  test("there is no other", () => {
    const name = /\b(?:WHEELHOUSE|OPENAI|ANTHROPIC|AWS|OTEL|NODE)_[A-Z0-9_]*[A-Z0-9]\b|\bDATABASE_URL\b/g;
    const texts = readSources("src/service")
      .filter(({ path }) => !path.endsWith(".test.ts"))
      .map(({ text }) => text);
    const named = new Set(texts.flatMap((text) => text.match(name) ?? []));
    // The first parts of names, to which the rest is added.
    for (const prefix of ["WHEELHOUSE_OPENAI_COMPATIBLE", "OTEL_EXPORTER_OTLP", "OTEL_EXPORTER_OTLP_TRACES"])
      named.delete(prefix);
    const known = [...Object.keys(wrongVariables), ...anyText];
    expect([...named].filter((one) => !known.includes(one))).toEqual([]);
  });
});
