import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";

/** Another service of the same interface that the operator offers, served below `/upstream/NAME/api/v1`. */
export interface Upstream {
  readonly name: string;
  /** Ends with the version segment, without a trailing slash: `https://api.example.com/api/v1`. */
  readonly url: string;
}

/** What the process was told, parsed once. Everything else gets it by argument. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The database, the secret and, by default, the files. Absolute. */
  readonly dataDirectory: string;
  /** People, teams, agents, flows and servers, as files. Absolute. */
  readonly workspaceDirectory: string;
  /** Load only the people, teams and keys of the workspace. */
  readonly empty: boolean;
  readonly upstreams: readonly Upstream[];
  /** Null without `--public-url`. Without a trailing slash. */
  readonly publicUrl: string | null;
  /** Where the bytes of artifacts and run files lie. Absolute. */
  readonly filesDirectory: string;
  /** Executions that this process advances at the same time. */
  readonly concurrency: number;
  /** Null: the embedded database in the data directory. */
  readonly databaseUrl: string | null;
  /** Null: made in the data directory. */
  readonly secret: string | null;
  /** The built console (`dist/console`). Absolute. */
  readonly consoleDirectory: string;
  /** The environment as it was at the start, for the workspace's `${NAME}` and the models' keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of this package, such as `0.1.0`. */
  readonly version: string;
}

export type KeysAction =
  | { readonly type: "list" }
  | { readonly type: "revoke"; readonly id: string }
  | {
      readonly type: "create";
      readonly owner: { readonly kind: "person" | "team"; readonly id: string };
      readonly name: string;
    };

export type Command =
  | { readonly type: "start" | "worker"; readonly config: Config }
  | { readonly type: "keys"; readonly action: KeysAction; readonly config: Config }
  | { readonly type: "check"; readonly directory: string }
  | { readonly type: "help" }
  | { readonly type: "version"; readonly version: string };

/** The command line or the environment is wrong. The message is one line that names the flag. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const options = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  workspace: { type: "string" },
  empty: { type: "boolean" },
  upstream: { type: "string", multiple: true },
  "public-url": { type: "string" },
  files: { type: "string" },
  concurrency: { type: "string" },
  person: { type: "string" },
  team: { type: "string" },
  name: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type Flag = keyof typeof options;

const common: readonly Flag[] = ["data", "workspace", "empty", "files", "help", "version"];
/** The flags that mean something to a command; the others are refused there rather than ignored. */
const flagsOf: Record<string, readonly Flag[]> = {
  start: [...common, "port", "host", "upstream", "public-url", "concurrency"],
  worker: [...common, "public-url", "concurrency"],
  keys: ["data", "person", "team", "name", "help", "version"],
  check: ["help", "version"],
};

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65535);
const count = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .refine((value) => value >= 1 && value <= 1000);
const webAddress = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));
const bareAddress = webAddress.refine((value) => {
  const { username, password, search, hash } = new URL(value);
  return username + password + search + hash === "";
});
const upstream = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}=/)
  .transform((value) => {
    const cut = value.indexOf("=");
    return { name: value.slice(0, cut), url: value.slice(cut + 1) };
  })
  .pipe(z.object({ name: z.string(), url: bareAddress }));
/** Loose: libpq's own form with a socket directory (`postgres://user@/db?host=/run/pg`) is no URL by the web's rules. */
const databaseUrl = z.string().regex(/^postgres(ql)?:\/\/\S+$/);

/** The package's own folder: two levels above this file, in `src/service` as in `dist/service`. */
function packageDirectory(): string {
  return resolve(dirname(fileURLToPath(import.meta.url)), "../..");
}

function packageVersion(root: string): string {
  const file = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return z.object({ version: z.string() }).parse(file).version;
}

/**
 * Reads the command line and the environment.
 * @param args without node and script
 * @param cwd what relative paths on the command line start from
 * @throws UsageError in one line that names the flag or variable
 */
export function parseCommand(
  args: readonly string[],
  environment: Config["environment"],
  cwd: string,
): Command {
  const { values, positionals } = readArguments(args);
  const root = packageDirectory();
  if (values.version) return { type: "version", version: packageVersion(root) };
  const [command, ...rest] = positionals;
  if (values.help || command === undefined || command === "help") return { type: "help" };
  const allowed = flagsOf[command];
  if (!allowed) throw new UsageError(`There is no command "${command}"; see --help`);
  for (const flag of Object.keys(values)) {
    if (!allowed.some((known) => known === flag))
      throw new UsageError(`--${flag} is no flag of ${command}; see --help`);
  }
  if (command === "check")
    return { type: "check", directory: resolve(cwd, only(rest, "check", "a directory")) };
  // Keys touch neither files nor links: what only those need may be missing.
  const config = readConfig(values, environment, cwd, root, command !== "keys");
  if (command === "keys") return { type: "keys", action: readKeysAction(rest, values), config };
  if (rest[0] !== undefined)
    throw new UsageError(`${command} takes no argument, but got "${rest[0]}"; see --help`);
  return { type: command === "worker" ? "worker" : "start", config };
}

type Values = ReturnType<typeof readArguments>["values"];

function readArguments(args: readonly string[]) {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    // node:util says which flag in its first sentence; the rest is advice about positionals.
    const [sentence] = error instanceof Error ? error.message.split(/\. |\n/) : [];
    throw new UsageError(`${sentence ?? "The command line cannot be read"}; see --help`);
  }
  for (const token of parsed.tokens) {
    if (token.kind !== "option" || token.name === "upstream") continue;
    const again = parsed.tokens.filter((other) => other.kind === "option" && other.name === token.name);
    if (again.length > 1) throw new UsageError(`--${token.name} is given more than once`);
  }
  return parsed;
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
}

function readConfig(
  values: Values,
  environment: Config["environment"],
  cwd: string,
  root: string,
  serves: boolean,
): Config {
  const url = environment.DATABASE_URL || null;
  const secret = environment.WHEELHOUSE_SECRET || null;
  const dataDirectory = resolve(cwd, values.data ?? join(root, ".wheelhouse"));
  if (secret !== null && secret.length < 32)
    throw new UsageError("WHEELHOUSE_SECRET needs at least 32 characters");
  if (serves && url !== null && secret === null) {
    throw new UsageError("WHEELHOUSE_SECRET is required with DATABASE_URL: all processes sign links with it");
  }
  if (serves && url !== null && values.files === undefined) {
    throw new UsageError("--files DIR is required with DATABASE_URL: all processes read the same files");
  }
  const workspace = resolve(cwd, values.workspace ?? join(root, "workspace"));
  if (serves && !existsSync(workspace)) throw new UsageError(`--workspace: there is no folder ${workspace}`);
  const upstreams = (values.upstream ?? []).map((value) =>
    check(upstream, value, "--upstream", "NAME=URL, an http(s) address that ends with the version segment"),
  );
  const names = upstreams.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`--upstream: the name ${twice} is given more than once`);
  return {
    port:
      values.port !== undefined
        ? check(port, values.port, "--port", "a number from 0 to 65535")
        : check(port, environment.PORT || "7700", "PORT", "a number from 0 to 65535"),
    host: check(z.string().min(1), values.host ?? "127.0.0.1", "--host", "an address such as 127.0.0.1"),
    dataDirectory,
    workspaceDirectory: workspace,
    empty: values.empty ?? false,
    upstreams,
    publicUrl:
      values["public-url"] === undefined
        ? null
        : check(bareAddress, values["public-url"], "--public-url", "an http(s) address"),
    filesDirectory: resolve(cwd, values.files ?? join(dataDirectory, "files")),
    concurrency: check(count, values.concurrency ?? "10", "--concurrency", "a number from 1 to 1000"),
    databaseUrl: url === null ? null : check(databaseUrl, url, "DATABASE_URL", "a postgres:// address"),
    secret,
    consoleDirectory: join(root, "dist", "console"),
    environment,
    version: packageVersion(root),
  };
}

function readKeysAction(rest: readonly string[], values: Values): KeysAction {
  const [action, ...more] = rest;
  const { person, team, name } = values;
  if (action !== "create" && (person ?? team ?? name) !== undefined) {
    throw new UsageError("--person, --team and --name belong to keys create");
  }
  if (action === "list" && more.length === 0) return { type: "list" };
  if (action === "revoke") return { type: "revoke", id: only(more, "keys revoke", "the id of a key") };
  if (action !== "create" || more.length > 0)
    throw new UsageError("keys takes create, list or revoke ID; see --help");
  if ((person === undefined) === (team === undefined)) {
    throw new UsageError("keys create takes either --person ID or --team ID");
  }
  const owner =
    person !== undefined
      ? ({ kind: "person", id: person } as const)
      : ({ kind: "team", id: team ?? "" } as const);
  return { type: "create", owner, name: name ?? "made on the command line" };
}

function only(rest: readonly string[], command: string, what: string): string {
  const [value, extra] = rest;
  if (value === undefined || extra !== undefined)
    throw new UsageError(`${command} takes ${what}; see --help`);
  return value;
}

/** The value itself is not repeated: it may hold a password. */
function check<T>(schema: z.ZodType<T>, value: string, flag: string, expected: string): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new UsageError(`${flag} must be ${expected}`);
  return result.data;
}
