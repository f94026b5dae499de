import { randomUUID } from "node:crypto";
import pino from "pino";
import { createEngine, type Engine } from "../../service/engine/engine.ts";
import type { FileStore } from "../../service/files/file-store.ts";
import { type DatabaseClock, openDatabaseClock } from "../../service/store/database-clock.ts";
import { connectStore, type Store } from "../../service/store/store.ts";
import { isDatabaseUnavailable } from "../../service/store/store-error.ts";
import { type DatabaseProxy, databaseProxy } from "../database-proxy.ts";
import { scheduleKinds } from "./kinds.ts";
import type { Ledger } from "./ledger.ts";
import type { Meeting } from "./meeting.ts";

/** Places of each process. */
export const concurrency = 3;

/** One process of a schedule: an engine with connections of its own, which can be cut, silenced and killed with it. */
export interface Process {
  readonly name: string;
  readonly owner: string;
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: DatabaseClock;
  readonly proxy: DatabaseProxy;
  /** Resolves when it is killed or has stopped: whoever asked it something hears nothing more. */
  readonly gone: Promise<void>;
  /** Whether it is on its way out. */
  isLeaving(): boolean;
  /** Its effects take as long as this does. */
  standStill(): { readonly goOn: () => void };
  /** Ends without a word to anybody. What is left of it in this process closes behind it; wait for `closed`. */
  kill(): void;
  stop(graceMs: number): Promise<void>;
  closed(): Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  readonly url: string;
  readonly ledger: Ledger;
  readonly files: FileStore;
  readonly meeting: Meeting;
}

const log = pino({ level: "silent" });

/** The database and its time, as soon as they are to be had: where a machine stands still they are not at first. */
async function opened(connectionString: string): Promise<{ store: Store; clock: DatabaseClock }> {
  for (let attempt = 1; ; attempt++) {
    let store: Store | null = null;
    try {
      store = await connectStore({ connectionString }, { log, connections: 8, queryTimeoutMs: 10_000 });
      return { store, clock: await openDatabaseClock(store) };
    } catch (error) {
      await store?.close();
      if (attempt === 5 || !isDatabaseUnavailable(error)) throw error;
    }
  }
}

/** Starts one, at work. */
export async function startProcess({ name, url, ledger, files, meeting }: ProcessOptions): Promise<Process> {
  const proxy = await databaseProxy(url);
  const { store, clock } = await opened(proxy.url);
  const owner = `${name} ${randomUUID()}`;
  let isDead = false;
  let still = Promise.resolve();
  const goesOn = () => still;
  const kinds = scheduleKinds({ store, clock, ledger, files, meeting, isDead: () => isDead, goesOn });
  // However busy this machine is: what may begin before its start is written does, the second time.
  const quickMs = Number.POSITIVE_INFINITY;
  const engine = createEngine({ store, kinds, concurrency, clock, log, owner, quickMs });
  await engine.work();
  clock.start();
  let closing: Promise<void> | null = null;
  let leave = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const close = async (graceMs: number) => {
    await engine.stop({ graceMs });
    await clock.stop();
    await proxy.close();
    await store.close();
  };
  const end = (graceMs: number) => {
    closing ??= close(graceMs).finally(leave);
    return closing;
  };
  return {
    ...{ name, owner, engine, store, clock, proxy, gone },
    standStill() {
      let goOn = () => {};
      still = new Promise((resolve) => {
        goOn = resolve;
      });
      return { goOn };
    },
    isLeaving: () => closing !== null,
    kill() {
      isDead = true;
      void proxy.cut();
      leave();
      void end(0);
    },
    stop: end,
    closed: () => end(0),
  };
}
