import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import type { Config } from "../config.ts";
import { startEmbedded } from "../store/embedded/embedded.ts";
import { pendingMigrations } from "../store/migrate.ts";
import { StoreError, sentenceOf } from "../store/store-error.ts";
import { type BelongingsConfig, examineBelongings } from "./belongings.ts";
import { type Finding, ok, problem, skipped, warning } from "./finding.ts";

const check = (what: string) => `database.${what}`;
/** For each answer of the database, in milliseconds. */
const answerMs = 5_000;
/** What each process opens at most: its pool, as it usually is, six for the queue, and one that listens. */
const connectionsOfProcess = 27;

/** The database: whether it answers, what it is, and whether it can do what the service needs. It is not migrated. */
export async function examineDatabase(
  config: Pick<Config, "databaseUrl"> & BelongingsConfig,
): Promise<readonly Finding[]> {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl !== null) return await examineAt({ connectionString: databaseUrl }, config);
  if (!existsSync(join(dataDirectory, "postgres")))
    return [skipped(check("reach"), "The embedded database is made at the first start")];
  try {
    const embedded = await startEmbedded({ dataDirectory, log: pino({ level: "silent" }) });
    try {
      return await examineAt(embedded.connection, config);
    } finally {
      await embedded.release();
    }
  } catch (error) {
    return [
      problem(
        check("reach"),
        `The embedded database does not start: ${sentenceOf(error)}`,
        "Its log lies beside its data",
      ),
    ];
  }
}

async function examineAt(
  connection: pg.ClientConfig,
  belongings: BelongingsConfig,
): Promise<readonly Finding[]> {
  const config = { ...connection, connectionTimeoutMillis: answerMs, query_timeout: answerMs };
  const client = new pg.Client({ ...config, application_name: "wheelhouse doctor" });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    const action = "Look whether PostgreSQL runs, and at the address, user and password of DATABASE_URL";
    return [problem(check("reach"), `It does not answer: ${sentenceOf(error)}`, action)];
  }
  try {
    return [
      ok(check("reach"), "It answers"),
      await version(client),
      ...(await settings(client)),
      await clock(client),
      await schema(client),
      ...(await paused(client)),
      ...(await examineBelongings(client, belongings)),
      await search(client),
      await signals(client, config),
    ];
  } catch (error) {
    return [
      problem(check("reach"), `It stopped answering: ${sentenceOf(error)}`, "Look at the log of PostgreSQL"),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function setting(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string | null }>("select current_setting($1, true) as value", [
    name,
  ]);
  return rows[0]?.value ?? "";
}

async function version(client: pg.Client): Promise<Finding> {
  const number = Number(await setting(client, "server_version_num"));
  const found = `PostgreSQL ${await setting(client, "server_version")}`;
  if (number < 140_000) return problem(check("version"), `${found} is too old`, "Use PostgreSQL 14 or newer");
  return ok(check("version"), found);
}

async function settings(client: pg.Client): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { rows } = await client.query<{ standby: boolean; used: number }>(
    "select pg_is_in_recovery() as standby, (select count(*)::integer from pg_stat_activity) as used",
  );
  const { standby = false, used = 0 } = rows[0] ?? {};
  if (standby)
    findings.push(
      problem(check("writes"), "It is a standby, which takes no writes", "Name the primary in DATABASE_URL"),
    );
  const encoding = await setting(client, "server_encoding");
  if (encoding !== "UTF8")
    findings.push(
      problem(
        check("encoding"),
        `Its encoding is ${encoding}`,
        "Make a database with the encoding UTF8: others refuse some texts",
      ),
    );
  for (const name of ["fsync", "full_page_writes", "synchronous_commit"]) {
    if ((await setting(client, name)) === "off")
      findings.push(
        warning(
          check(name),
          `${name} is off`,
          "Switch it on: what was accepted may be lost when the machine stops",
        ),
      );
  }
  const most = Number(await setting(client, "max_connections"));
  const connections = `${used} of ${most} connections are open`;
  findings.push(
    most - used < connectionsOfProcess
      ? warning(
          check("connections"),
          connections,
          `Raise max_connections: each process opens up to ${connectionsOfProcess}`,
        )
      : ok(check("connections"), connections),
  );
  return findings;
}

/** The service dates by the database's clock; people read it beside those of their machines. */
async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
  const between = (before + Date.now()) / 2;
  const seconds = ((rows[0]?.now.getTime() ?? between) - between) / 1_000;
  if (Math.abs(seconds) < 2) return ok(check("clock"), "Its clock and this machine's agree");
  const how = `${Math.abs(seconds).toFixed(0)} s ${seconds > 0 ? "ahead of" : "behind"}`;
  return warning(
    check("clock"),
    `Its clock is ${how} this machine's`,
    "Have both set by NTP: all times are the database's, and signed addresses of others may count as ended",
  );
}

async function schema(client: pg.Client): Promise<Finding> {
  try {
    const pending = await pendingMigrations(client);
    if (pending.length === 0) return ok(check("schema"), "Its schema is that of this release");
    return ok(
      check("schema"),
      `The next start brings its schema up to date: ${pending.map(({ name }) => name).join(", ")}`,
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return problem(check("schema"), error.message, "Start the newer release");
  }
}

async function paused(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ there: boolean }>("select to_regclass('pause') is not null as there");
  if (rows[0]?.there !== true) return [];
  const { rows: found } = await client.query<{ reason: string }>("select reason from pause");
  const [pause] = found;
  if (pause === undefined) return [];
  const action = "When the other one runs no more: wheelhouse resume";
  return [warning(check("paused"), `It is paused: ${pause.reason}`, action)];
}

async function search(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query("select from pg_available_extensions where name = 'pg_trgm'");
  if (rows.length > 0) return ok(check("search"), "It has pg_trgm, which search needs");
  return warning(
    check("search"),
    "It has no pg_trgm, so search is not offered",
    "Install PostgreSQL's contrib package",
  );
}

/** Processes tell each other by LISTEN and NOTIFY, which a pooler in transaction mode swallows. */
async function signals(client: pg.Client, config: pg.ClientConfig): Promise<Finding> {
  const other = new pg.Client(config);
  other.on("error", () => undefined);
  try {
    await other.connect();
    const heard = new Promise<boolean>((resolve) => {
      client.once("notification", () => resolve(true));
      setTimeout(() => resolve(false), answerMs).unref();
    });
    await client.query("listen wheelhouse_doctor");
    await other.query("notify wheelhouse_doctor");
    if (await heard) return ok(check("signals"), "LISTEN and NOTIFY get through");
    const action = "Connect to PostgreSQL itself, or through a pooler in session mode";
    return problem(check("signals"), "What is notified is not heard: a pooler is in between", action);
  } finally {
    await other.end().catch(() => undefined);
  }
}
