import { setTimeout as delay } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { closeClient } from "../store/query-timeout.ts";
import type { Tenant } from "./shares.ts";
import type { Hold } from "./yielding.ts";

/** The one channel on which processes tell workers things. What is lost on it is found by the heartbeat. */
const channel = "wheelhouse_engine";

/** `over`: killed, whoever runs it must stop. `woken`: something that it waited for has ended while it was running. */
export type Signal = "over" | "woken";

/** The SQL expression that tells all workers, when the transaction commits. */
export function notifyWorkers(signal: Signal, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`pg_notify(${sql.lit(channel)}, ${sql.lit(`${signal} `)} || ${id})`;
}

/**
 * The SQL expression that tells all workers, when the transaction commits, that something is ready of a row of `executions`
 * with these columns in scope: `limit_key`, `user_id`. Whoever misses it looks a moment later.
 */
export const notifyReady = sql`pg_notify(${sql.lit(channel)}, 'ready ' || limit_key || ' ' || coalesce(user_id, ''))`;

/**
 * The query that tells all processes so, at once: what nothing depends on need not be on the disk before they hear of it.
 * @param process who tells it
 */
export const tellHold = (hold: Hold, { limitKey, person }: Tenant, process: string): pg.QueryConfig => ({
  name: "tell_hold",
  text: `select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', $1)`,
  values: [`${hold} ${limitKey} ${person} ${process}`],
});

/** What one that listens does with what it is told. */
export interface Listening {
  onSignal(signal: Signal, id: string): void;
  /** Something of this team or person is ready; without a person, of anybody in it. */
  onReady(limitKey: string, person: string | undefined): void;
  /** Another process, or this one, has told so of something of this tenant. */
  onHold(hold: Hold, process: string, tenant: Tenant): void;
  /** Called after each connect: signals may have been missed before it. */
  onConnect(): void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Listens until closed; connects again for as long as it takes. */
export function listen(
  connection: pg.ClientConfig,
  { onSignal, onReady, onHold, onConnect }: Listening,
): Listener {
  const closing = new AbortController();
  const loop = async () => {
    while (!closing.signal.aborted) {
      const client = new pg.Client({ ...connection, application_name: "wheelhouse listener" });
      const ended = new Promise<void>((resolve) => client.once("end", resolve));
      client.on("error", () => undefined);
      client.on("notification", ({ payload = "" }) => {
        const [signal, id = "", person, process = ""] = payload.split(" ");
        if (signal === "over" || signal === "woken") onSignal(signal, id);
        if (signal === "ready") onReady(id, person);
        if (signal === "hold" || signal === "resume")
          onHold(signal, process, { limitKey: id, person: person ?? "" });
      });
      const end = () => void closeClient(client);
      try {
        await client.connect();
        closing.signal.addEventListener("abort", end, { once: true });
        await client.query(`listen ${channel}`);
        onConnect();
        if (closing.signal.aborted) end();
        await ended;
      } catch {
        end();
      } finally {
        closing.signal.removeEventListener("abort", end);
      }
      // Away: not at once again, but soon.
      await delay(200, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const done = loop();
  return {
    async close() {
      closing.abort();
      await done;
    },
  };
}
