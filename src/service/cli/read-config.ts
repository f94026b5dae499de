import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Config } from "../config.ts";
import { isFolder, readPlace } from "./read-place.ts";
import { UsageError } from "./usage-error.ts";

/** The one argument of a command. @throws UsageError */
export function only(rest: readonly string[], command: string, what: string): string {
  const [value, extra] = rest;
  if (value === undefined || extra !== undefined)
    throw new UsageError(`${command} takes ${what}; see --help`);
  return value;
}

/** The flags that make a configuration, as text. */
export interface ConfigFlags {
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly data?: string | undefined;
  readonly workspace?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly upstream?: readonly string[] | undefined;
  readonly "public-url"?: string | undefined;
  readonly "allowed-host"?: readonly string[] | undefined;
  readonly files?: string | undefined;
  readonly "files-also"?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly connections?: string | undefined;
  readonly drain?: string | undefined;
  readonly metrics?: string | undefined;
}

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
/** Fewer, and what waits for a connection while it has one would wait for itself. */
const poolSize = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .refine((value) => value >= 5);
/** As long as what is at work may take. */
const drainSeconds = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number)
  .refine((value) => value <= 20);
const webAddress = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));
const bareAddress = webAddress.refine((value) => {
  const { username, password, search, hash } = new URL(value);
  return username + password + search + hash === "";
});
/** Where console and API are: both lie at the root of their host. */
const rootAddress = bareAddress.refine((value) => new URL(value).pathname === "/");
const upstream = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}=/)
  .transform((value) => {
    const cut = value.indexOf("=");
    return { name: value.slice(0, cut), url: value.slice(cut + 1) };
  })
  .pipe(z.object({ name: z.string(), url: bareAddress }));
/** A name or an address, without a port. */
const hostName = z
  .string()
  .max(253)
  .regex(/^(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9a-fA-F:.]+\])$/)
  .transform((value) => value.toLowerCase());
/** A port, or an address and a port: `9464`, `0.0.0.0:9464`, `[::1]:9464`. */
const metricsAddress = z
  .string()
  .regex(/^(?:(?:[A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\]):)?\d{1,5}$/)
  .transform((value) => {
    const cut = value.lastIndexOf(":");
    const host = cut === -1 ? "127.0.0.1" : value.slice(0, cut).replace(/^\[|\]$/g, "");
    return { host, port: Number(value.slice(cut + 1)) };
  })
  .refine((value) => value.port <= 65535);
/** libpq's own form with a socket directory (`postgres://user@/db?host=/run/pg`) lacks a host by the web's rules. */
const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/\S+$/)
  .refine((value) => URL.canParse(value.replace("@/", "@socket/")));

/**
 * As PostgreSQL's own programs do: who is named nowhere is the account that runs this, whatever USER says or does not; a
 * database that is named nowhere has the user's name, which the driver knows.
 */
function withUser(url: string, environment: Config["environment"]): string {
  const { username, password, searchParams } = new URL(url.replace("@/", "@socket/"));
  const { PGUSER, USER, USERNAME } = environment;
  if (username || searchParams.get("user") || PGUSER || USER || USERNAME) return url;
  let account: string;
  try {
    account = userInfo().username;
  } catch {
    // A container's account may have a number alone.
    throw new UsageError("DATABASE_URL must name a user, as in postgres://USER@HOST/DATABASE");
  }
  // What names no user may have a password all the same.
  const [scheme = "", rest = ""] = url.split(/\/\/(.*)/s);
  return `${scheme}//${encodeURIComponent(account)}${password || rest.startsWith("@") ? "" : "@"}${rest}`;
}

/** The package's own folder: three levels above this file, in `src` as in `dist`. */
function packageDirectory(): string {
  return resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
}

/** Of this package, such as `0.1.0`. */
export function packageVersion(): string {
  const file = JSON.parse(readFileSync(join(packageDirectory(), "package.json"), "utf8"));
  return z.object({ version: z.string() }).parse(file).version;
}

/** What a command touches beside the database: what it does not need may be missing. */
export type Needs = "nothing" | "files" | "files and links";

/**
 * @param cwd what relative paths on the command line start from
 * @throws UsageError
 */
export function readConfig(
  values: ConfigFlags,
  environment: Config["environment"],
  cwd: string,
  needs: Needs,
): Config {
  const root = packageDirectory();
  const url = environment.DATABASE_URL || null;
  const secret = environment.WHEELHOUSE_SECRET || null;
  const dataDirectory = resolve(cwd, values.data ?? join(root, ".wheelhouse"));
  if (secret !== null && secret.trim().length < 32)
    throw new UsageError("WHEELHOUSE_SECRET needs at least 32 characters");
  if (needs === "files and links" && url !== null && secret === null) {
    throw new UsageError("WHEELHOUSE_SECRET is required with DATABASE_URL: all processes sign links with it");
  }
  if (needs !== "nothing" && url !== null && values.files === undefined) {
    throw new UsageError("--files PLACE is required with DATABASE_URL: all processes read the same files");
  }
  const workspace = resolve(cwd, values.workspace ?? join(root, "workspace"));
  if (needs !== "nothing" && isFolder(workspace) !== true)
    throw new UsageError(`--workspace: there is no folder ${workspace}`);
  const upstreams = (values.upstream ?? []).map((value) =>
    check(upstream, value, "--upstream", "NAME=URL, an http(s) address that ends with the version segment"),
  );
  const names = upstreams.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`--upstream: the name ${twice} is given more than once`);
  const moreHosts = (environment.WHEELHOUSE_ALLOWED_HOSTS ?? "").split(/[\s,]+/).filter(Boolean);
  const aHost = "a host without a port, such as wheelhouse.example.com";
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
        : check(rootAddress, values["public-url"], "--public-url", "an http(s) address without a path"),
    allowedHosts: [
      ...(values["allowed-host"] ?? []).map((value) => check(hostName, value, "--allowed-host", aHost)),
      ...moreHosts.map((value) => check(hostName, value, "WHEELHOUSE_ALLOWED_HOSTS", `hosts: ${aHost}`)),
    ],
    filesAt: readPlace(values.files ?? join(dataDirectory, "files"), "--files", environment, cwd),
    filesAlsoAt:
      values["files-also"] === undefined
        ? null
        : readPlace(values["files-also"], "--files-also", environment, cwd),
    concurrency: check(count, values.concurrency ?? "10", "--concurrency", "a number from 1 to 1000"),
    connections:
      values.connections === undefined
        ? null
        : check(poolSize, values.connections, "--connections", "a number from 5 to 999"),
    drainSeconds: check(drainSeconds, values.drain ?? "0", "--drain", "a number of seconds from 0 to 20"),
    metrics:
      values.metrics === undefined
        ? null
        : check(
            metricsAddress,
            values.metrics,
            "--metrics",
            "a port, or an address and a port such as 0.0.0.0:9464",
          ),
    // Who starts nothing that is traced need not know.
    traces: null,
    databaseUrl:
      url === null
        ? null
        : withUser(
            check(
              databaseUrl,
              url,
              "DATABASE_URL",
              "a postgres:// address, what is special in its password percent-encoded",
            ),
            environment,
          ),
    secret,
    consoleDirectory: join(root, "dist", "console"),
    environment,
    version: packageVersion(),
  };
}

/** The value itself is not repeated: it may hold a password. */
function check<T>(schema: z.ZodType<T>, value: string, flag: string, expected: string): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new UsageError(`${flag} must be ${expected}`);
  return result.data;
}
