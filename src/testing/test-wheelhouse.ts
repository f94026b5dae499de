import type { TabChannel } from "../console/api/across-tabs.ts";
import { Store } from "../console/api/store.ts";
import { createWheelhouse, type WheelhouseOptions } from "../console/app/create-wheelhouse.ts";
import { fileMethods } from "../console/areas/artifacts/worker/file-service.ts";
import { readSheets } from "../console/areas/artifacts/worker/workbook.ts";
import { compareMethods } from "../console/areas/runs/compare/worker/compare-service.ts";
import { runMethods } from "../console/areas/runs/worker/run-service.ts";
import type { SignedIn } from "../console/areas/session/signed-in.ts";
import type { Wheelhouse } from "../console/areas/session/wheelhouse.tsx";
import { bodyMethods } from "../console/lib/bodies/body-service.ts";
import type { KeyValue, StorageTrouble } from "../console/lib/history/key-value.ts";
import { parseMarkdown } from "../console/lib/markdown/worker/markdown-parse.ts";
import type { WorkerEnd } from "../console/lib/workers/calls.ts";
import type { WorkerName, Workers } from "../console/lib/workers/workers.ts";
import { capabilities } from "../contract/console.ts";
import { workerEnd } from "./worker-end.ts";

/** A browser database in memory. */
export function memoryStore(): KeyValue {
  const entries = new Map<string, unknown>();
  return {
    trouble: new Store<StorageTrouble | null>(null),
    read: async (prefix) => [...entries].filter(([key]) => key.startsWith(prefix)),
    fresh: async (key) => structuredClone(entries.get(key)),
    write: async (key, value) => {
      entries.set(key, structuredClone(value));
    },
    remove: async (keys) => {
      for (const key of keys) entries.delete(key);
    },
    update: async (key, change) => {
      const next = change(structuredClone(entries.get(key)));
      if (next === undefined) entries.delete(key);
      else entries.set(key, structuredClone(next));
      return next;
    },
  };
}

/** The same store, which says what it keeps only when it is let go, like a browser that is slow. */
export function slowStore(store: KeyValue): { store: KeyValue; release: () => void } {
  let release = () => {};
  const answered = new Promise<void>((resolve) => {
    release = resolve;
  });
  const read: KeyValue["read"] = async (prefix) => {
    await answered;
    return store.read(prefix);
  };
  return { store: { ...store, read }, release };
}

/** The channel between the tabs of one browser: each call is the end of another tab. */
export function tabChannels(): () => TabChannel {
  const ends = new Set<(event: { data: unknown }) => void>();
  return () => {
    const own = new Set<(event: { data: unknown }) => void>();
    return {
      postMessage: (data) => {
        for (const listener of ends) if (!own.has(listener)) listener({ data });
      },
      addEventListener: (_type, listener) => {
        own.add(listener);
        ends.add(listener);
      },
      close: () => {
        for (const listener of own) ends.delete(listener);
      },
    };
  };
}

/** Ada, signed in to the page's own service with her personal key. */
export function aSignIn(part: Partial<SignedIn> = {}): SignedIn {
  return {
    connection: { name: "Wheelhouse", path: "/api/v1", kind: "own" },
    credential: { kind: "personal", secret: "test-key-of-ada-0123456789", userId: "user_ada", teamId: null },
    userName: "Ada Lovelace",
    teams: [{ id: "team_harbor", name: "Harbor" }],
    known: { named: [...capabilities], tried: {} },
    thisTabOnly: false,
    signedInAt: Date.now(),
    expiresAt: null,
    ...part,
  };
}

/** The network as a test has made it when it is asked. */
const network: typeof fetch = (...args) => fetch(...args);

/** The console's workers by their names, each without a thread. */
export const workerEnds = {
  "run-reader": (fetcher = network) => workerEnd(runMethods(fetcher)),
  bodies: () => workerEnd(bodyMethods()),
  markdown: () => workerEnd({ parse: parseMarkdown }),
  compare: () => workerEnd(compareMethods()),
  files: () => workerEnd(fileMethods(readSheets)),
};

/** Workers that are no threads: what each is made of in the page itself. */
export function testWorkers(others: Partial<Record<WorkerName, () => unknown>> = {}): Workers {
  const made: Record<WorkerName, () => unknown> = {
    ...workerEnds,
    pdf: () => {
      throw new Error("A test has no reader of PDF files");
    },
    ...others,
  };
  return {
    start: (name) => made[name]() as WorkerEnd,
    startPlain: (name) => made[name]() as Worker,
  };
}

const opened: Wheelhouse[] = [];

/** The console's data layer without a browser around it: no worker, no other tabs, nothing kept. */
export function testWheelhouse(options: Partial<WheelhouseOptions> = {}): Wheelhouse {
  const wheelhouse = createWheelhouse({
    workers: testWorkers(),
    channel: null,
    store: memoryStore(),
    ...options,
  });
  opened.push(wheelhouse);
  return wheelhouse;
}

/** Ends all that tests have opened so far: none polls or hears the window any more. */
export function closeWheelhouses(): void {
  for (const wheelhouse of opened.splice(0)) wheelhouse.close();
}

/** The same, with somebody signed in. */
export function signedInWheelhouse(as: Partial<SignedIn> = {}, options: Partial<WheelhouseOptions> = {}) {
  const wheelhouse = testWheelhouse(options);
  wheelhouse.session.signIn(aSignIn(as));
  const api = wheelhouse.api.get();
  if (!api) throw new Error("Signing in made no connection");
  return { wheelhouse, api };
}
