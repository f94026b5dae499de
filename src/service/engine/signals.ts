import { setTimeout as delay } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { closeClient } from "../store/query-timeout.ts";

/** The one channel on which processes tell workers things. What is lost on it is found by the heartbeat. */
const channel = "wheelhouse_engine";

/** `over`: killed, whoever runs it must stop. `woken`: something that it waited for has ended while it was running. */
export type Signal = "over" | "woken";

/** The SQL expression that tells all workers, when the transaction commits. */
export function notifyWorkers(signal: Signal, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`pg_notify(${sql.lit(channel)}, ${sql.lit(`${signal} `)} || ${id})`;
}

export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens until closed; connects again for as long as it takes.
 * @param onConnect called after each connect: signals may have been missed before it
 */
export function listen(
  connection: pg.ClientConfig,
  onSignal: (signal: Signal, id: string) => void,
  onConnect: () => void,
): Listener {
  const closing = new AbortController();
  const loop = async () => {
    while (!closing.signal.aborted) {
      const client = new pg.Client({ ...connection, application_name: "wheelhouse listener" });
      const ended = new Promise<void>((resolve) => client.once("end", resolve));
      client.on("error", () => undefined);
      client.on("notification", ({ payload = "" }) => {
        const [signal, id = ""] = payload.split(" ");
        if (signal === "over" || signal === "woken") onSignal(signal, id);
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
