import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { vi } from "vitest";
import type { AgentRow } from "../../service/agents/agent-rows.ts";
import { directoryFileStore, type FileStore } from "../../service/files/file-store.ts";
import { toJson } from "../../service/store/json.ts";
import type { Database } from "../../service/store/schema.ts";
import { isDatabaseUnavailable, isOutOfRoom } from "../../service/store/store-error.ts";
import { type ScheduleDatabase, scheduleDatabase } from "./database.ts";
import { addFlows, type Flows } from "./flows.ts";
import { type History, newHistory, type Told } from "./history.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { createMeeting, type Meeting } from "./meeting.ts";
import { toolServer } from "./model.ts";
import { addParts, type Parts } from "./parts.ts";
import { type Process, startProcess } from "./process.ts";

/** Everything that one schedule happens to. */
export interface World {
  readonly database: ScheduleDatabase;
  readonly agent: AgentRow;
  /** Another, of whose turns each is judged. */
  readonly judged: AgentRow;
  readonly flows: Flows;
  readonly parts: Parts;
  readonly files: FileStore;
  readonly ledger: Ledger;
  readonly meeting: Meeting;
  readonly history: History;
  /** A name that nothing else in this database has. */
  name(what: string): string;
  /** Those that live. */
  readonly processes: readonly Process[];
  /** One of them, by any number. */
  processAt(at: number): Process;
  startOne(): Promise<void>;
  /** It is no longer one of them. */
  lose(process: Process): void;
  /** What goes on until it is answered or its process is gone: nobody waits for it before the end. */
  ask<T>(process: Process, question: () => Promise<T>): Promise<Told<T>>;
  background(work: Promise<unknown>): void;
  /** All that is under way has been answered. */
  answered(): Promise<void>;
  /** The clocks of machines jump. */
  jumpMachine(ms: number): void;
  /** Ends it. One process that lives stays for the next schedule. */
  close(): Promise<void>;
}

/** A database on which schedules happen, one after the other. */
export interface Lane {
  readonly database: ScheduleDatabase;
  readonly agent: AgentRow;
  /** Another, of whose turns each is judged. */
  readonly judged: AgentRow;
  readonly flows: Flows;
  readonly parts: Parts;
  readonly files: FileStore;
  readonly ledger: Ledger;
  readonly meeting: Meeting;
  /** Where the files lie. */
  readonly folder: string;
  /** Those that live. */
  readonly processes: Process[];
  /** How many schedules there were. */
  count: number;
}

/** Makes one: a database with two people, their team, and an agent with tools. */
export async function openLane(): Promise<Lane> {
  const database = await scheduleDatabase();
  const { db } = database.fresh.store;
  const people = ["ada", "bob"].map((name) => ({
    ...{ id: `user_${name}`, first_name: name, last_name: "Test", email: `${name}@example.com` },
    ...{ profile_picture: null, plan: "pro" as const },
  }));
  await db.insertInto("users").values(people).execute();
  await db.insertInto("teams").values({ id: "team_both", name: "Both", plan: "pro" }).execute();
  const [agent, judged] = [await addAgent(db, "agent"), await addAgent(db, "judged")];
  const config = toJson({ enabled: true, frequency: "per_turn", criteria: [] });
  await db.insertInto("evaluation_configs").values({ agent_id: judged.id, config }).execute();
  const [ledger, meeting] = [createLedger(), createMeeting()];
  await db
    .insertInto("team_members")
    .values(people.map(({ id }) => ({ team_id: "team_both", user_id: id })))
    .execute();
  const [flows, parts] = [await addFlows(db), await addParts(db)];
  const folder = await mkdtemp(join(tmpdir(), "wheelhouse-schedules-"));
  const files = directoryFileStore(folder);
  return {
    ...{ database, agent, judged, flows, parts, ledger, meeting, files, folder, processes: [], count: 0 },
  };
}

/** With a tool that runs, and one that people are asked about. */
function addAgent(db: Kysely<Database>, id: string): Promise<AgentRow> {
  return db
    .insertInto("agents")
    .values({
      ...{ id, owner_id: "user_ada", name: "Agent", alias: null, description: null, team_id: null },
      ...{ model_name: "outside/model", system_prompt: null, folder_id: null },
      tools: toJson([{ type: "mcp_server", server_id: toolServer }]),
      metadata: toJson({ approvals: { tools: { [`${toolServer}__ask`]: "ask" } } }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends what is left of one. */
export async function closeLane({ database, processes, folder }: Lane): Promise<void> {
  await Promise.all(processes.map((process) => process.closed()));
  await rm(folder, { recursive: true, force: true });
  await database.fresh.drop();
}

/** Begins a schedule in a lane, with one process: that which was left of the one before. */
export async function openWorld(lane: Lane): Promise<World> {
  const { database, agent, judged, flows, parts, ledger, files, meeting, processes } = lane;
  const prefix = `s${++lane.count}`;
  ledger.forget();
  const history = newHistory();
  const all: Process[] = [];
  const under = new Set<Promise<unknown>>();
  let made = 0;
  const world: World = {
    ...{ database, agent, judged, flows, parts, ledger, files, meeting, history, processes },
    name: (what) => `${prefix}-${what}${++made}`,
    processAt(at) {
      const process = processes[at % processes.length];
      if (process === undefined) throw new Error("no process lives");
      return process;
    },
    async startOne() {
      // None starts where it can write nothing.
      await database.setReadOnly(false);
      const name = `p${all.length + 1}`;
      const process = await startProcess({ name, url: database.fresh.url, ledger, files, meeting });
      processes.push(process);
      all.push(process);
    },
    lose(process) {
      processes.splice(processes.indexOf(process), 1);
    },
    ask: (process, question) =>
      Promise.race([
        question().catch((error: unknown): "unknown" => {
          // Whoever asks hears that the service is away, and nothing else.
          const isExcused = isDatabaseUnavailable(error) || isOutOfRoom(error) || process.isLeaving();
          if (!isExcused) history.broken.push(`${process.name} answered: ${String(error)}`);
          return "unknown";
        }),
        process.gone.then((): "unknown" => "unknown"),
      ]),
    background(work) {
      const held = work.finally(() => under.delete(held));
      under.add(held);
    },
    async answered() {
      while (under.size > 0) await Promise.all(under);
    },
    jumpMachine: (ms) => vi.setSystemTime(Date.now() + ms),
    async close() {
      const [stays, ...others] = processes.splice(0);
      await Promise.all([...all, ...others].map((one) => (one === stays ? null : one.closed())));
      if (stays === undefined) return;
      stays.proxy.breakNone();
      processes.push(stays);
    },
  };
  if (processes.length === 0) await world.startOne();
  return world;
}
