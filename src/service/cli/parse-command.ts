import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { name as nameRule, textLimits } from "../../contract/limits.ts";
import type { Config } from "../config.ts";
import { type AuditVerify, readNotedHead } from "./audit-verify.ts";
import { type BackupCommand, type RestoreCommand, readBackup, readRestore } from "./parse-backup.ts";
import { type FilesMove, readFiles } from "./parse-files.ts";
import { readUpgrade, type UpgradeCommand } from "./parse-upgrade.ts";
import { type Needs, only, packageVersion, readConfig } from "./read-config.ts";
import { readTraces } from "./read-traces.ts";
import { UsageError } from "./usage-error.ts";

export type KeysAction =
  | { readonly type: "list" }
  | { readonly type: "revoke"; readonly id: string }
  | {
      readonly type: "create";
      readonly owner: { readonly kind: "person" | "team"; readonly id: string };
      readonly name: string;
    };

/** What `retention` does: tells what would go, deletes it, or deletes it and writes the tables anew. */
export type RetentionAction = "preview" | "delete" | "compact";

export type Command =
  | { readonly type: "start" | "worker"; readonly config: Config }
  | { readonly type: "keys"; readonly action: KeysAction; readonly config: Config }
  | { readonly type: "sign-in-link"; readonly person: string; readonly config: Config }
  | { readonly type: "retention"; readonly action: RetentionAction; readonly config: Config }
  | { readonly type: "files-adopt"; readonly config: Config }
  | (FilesMove & { readonly config: Config })
  | { readonly type: "audit-verify"; readonly verify: AuditVerify; readonly config: Config }
  | { readonly type: "check"; readonly directory: string }
  | { readonly type: "doctor"; readonly json: boolean; readonly filesGiven: boolean; readonly config: Config }
  | (BackupCommand & { readonly config: Config })
  | (RestoreCommand & { readonly config: Config })
  | (UpgradeCommand & { readonly config: Config })
  | { readonly type: "resume"; readonly config: Config }
  | { readonly type: "help" }
  | { readonly type: "version"; readonly version: string };

/** All flags, of whatever command. */
export const options = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  workspace: { type: "string" },
  empty: { type: "boolean" },
  upstream: { type: "string", multiple: true },
  "public-url": { type: "string" },
  "allowed-host": { type: "string", multiple: true },
  files: { type: "string" },
  "files-also": { type: "string" },
  to: { type: "string" },
  verify: { type: "boolean" },
  concurrency: { type: "string" },
  connections: { type: "string" },
  drain: { type: "string" },
  metrics: { type: "string" },
  person: { type: "string" },
  team: { type: "string" },
  name: { type: "string" },
  preview: { type: "boolean" },
  compact: { type: "boolean" },
  json: { type: "boolean" },
  "with-secret": { type: "boolean" },
  "new-secret": { type: "boolean" },
  rate: { type: "string" },
  check: { type: "boolean" },
  copy: { type: "string" },
  head: { type: "string" },
  "former-secrets": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type Flag = keyof typeof options;

const isRepeatable = (name: string) => name === "upstream" || name === "allowed-host";

const common: readonly Flag[] = ["data", "workspace", "empty", "files", "files-also", "help", "version"];
const start: readonly Flag[] = [
  ...common,
  "port",
  "host",
  "upstream",
  "public-url",
  "allowed-host",
  "concurrency",
  "connections",
  "drain",
  "metrics",
];
/** The flags that mean something to a command; the others are refused there rather than ignored. */
const flagsOf: Record<string, readonly Flag[]> = {
  start,
  worker: [...common, "public-url", "concurrency", "connections", "metrics"],
  "sign-in-link": ["data", "port", "public-url", "person", "help", "version"],
  keys: ["data", "person", "team", "name", "help", "version"],
  retention: ["data", "workspace", "files", "files-also", "preview", "compact", "help", "version"],
  files: ["data", "files", "to", "rate", "verify", "json", "help", "version"],
  audit: ["data", "former-secrets", "head", "json", "help", "version"],
  check: ["help", "version"],
  backup: ["data", "files", "files-also", "with-secret", "rate", "json", "help", "version"],
  restore: ["data", "files", "new-secret", "check", "json", "help", "version"],
  resume: ["data", "help", "version"],
  upgrade: ["data", "check", "copy", "json", "help", "version"],
  // Also those at which it does not look: it is given the line of a start, and says what is wrong with it.
  doctor: [...start, "json"],
};

const needsOf: Record<string, Needs> = {
  start: "files and links",
  worker: "files and links",
  retention: "files",
  files: "files",
  backup: "files and links",
};

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
  if (values.version) return { type: "version", version: packageVersion() };
  const [command, ...rest] = positionals;
  if (values.help || command === undefined || command === "help") return { type: "help" };
  // What every object has is no command.
  const allowed = Object.hasOwn(flagsOf, command) ? flagsOf[command] : undefined;
  if (!allowed) throw new UsageError(`There is no command "${command}"; see --help`);
  for (const flag of Object.keys(values)) {
    if (!allowed.some((known) => known === flag))
      throw new UsageError(`--${flag} is no flag of ${command}; see --help`);
  }
  if (command === "check")
    return { type: "check", directory: resolve(cwd, only(rest, "check", "a directory")) };
  const config = readConfig(values, environment, cwd, needsOf[command] ?? "nothing");
  if (command === "keys") return { type: "keys", action: readKeysAction(rest, values), config };
  if (command === "files") return { ...readFiles(rest, values, config, cwd), config };
  if (command === "audit") {
    if (rest.length !== 1 || rest[0] !== "verify") throw new UsageError("audit takes verify; see --help");
    const { head, json = false, "former-secrets": former } = values;
    const formerSecrets = former === undefined ? null : resolve(cwd, former);
    return {
      type: "audit-verify",
      verify: { head: head === undefined ? null : readNotedHead(head), formerSecrets, json },
      config,
    };
  }
  if (command === "backup")
    return {
      ...readBackup(only(rest, "backup", "a FILE to write to, or - for standard output"), values, cwd),
      config,
    };
  if (command === "restore")
    return { ...readRestore(only(rest, "restore", "the FILE of a backup"), values, config, cwd), config };
  if (rest[0] !== undefined)
    throw new UsageError(`${command} takes no argument, but got "${rest[0]}"; see --help`);
  if (command === "sign-in-link") {
    if (values.person === undefined) throw new UsageError("sign-in-link takes --person ID; see --help");
    return { type: "sign-in-link", person: values.person, config };
  }
  if (command === "doctor") {
    const { json = false, files } = values;
    return { type: "doctor", json, filesGiven: files !== undefined, config: traced(config) };
  }
  if (command === "upgrade") return { ...readUpgrade(values, cwd), config };
  if (command === "retention") return { type: "retention", action: readRetentionAction(values), config };
  if (command === "resume") return { type: "resume", config };
  return { type: command === "worker" ? "worker" : "start", config: traced(config) };
}

const traced = (config: Config): Config => ({ ...config, traces: readTraces(config.environment) });

function readRetentionAction({ preview, compact }: Values): RetentionAction {
  if (preview && compact) throw new UsageError("retention takes --preview or --compact; see --help");
  return preview ? "preview" : compact ? "compact" : "delete";
}

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
    if (token.kind !== "option") continue;
    // Of a variable that is not set, or is blank: an empty path would be the folder where one is.
    if (token.value?.trim() === "") throw new UsageError(`--${token.name} must not be empty; see --help`);
    if (isRepeatable(token.name)) continue;
    const again = parsed.tokens.filter((other) => other.kind === "option" && other.name === token.name);
    if (again.length > 1) throw new UsageError(`--${token.name} is given more than once`);
  }
  return parsed;
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
}

type Values = ReturnType<typeof readArguments>["values"];

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
  if (name !== undefined && !nameRule.safeParse(name).success)
    throw new UsageError(`--name takes a name of 1 to ${textLimits.name} characters that can be seen`);
  return { type: "create", owner, name: name ?? "made on the command line" };
}
