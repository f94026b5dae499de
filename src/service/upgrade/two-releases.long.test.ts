import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { builtFile } from "../../testing/built.ts";
import { type EmptyDatabase, emptyDatabase } from "../../testing/database.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { freePort } from "../../testing/free-port.ts";
import { createPrograms, type Program, untilReady } from "../../testing/programs.ts";
import { buildRelease, releaseBefore } from "../../testing/release-before.ts";
import { until } from "../../testing/until.ts";

/** How long both releases work side by side, in minutes. */
const minutes = Number(process.env.WHEELHOUSE_UPGRADE_MINUTES ?? 3);
/** So many of each kind go on at once. */
const inHand = 12;
const endStates = { run: ["DONE", "FAILED", "TERMINATED"], conversation: ["COMPLETED", "FAILED"] };
type RunBody = { readonly state?: string; readonly log?: readonly string[] };
const key = "wh_key_of_ada_for_two_releases_0123";

const folder = testFolder();
let database: EmptyDatabase;
const programs = createPrograms();
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  await database.drop();
  // With all packages of the release before.
  folder.remove();
}, 600_000);

interface Release {
  readonly name: "before" | "now";
  readonly program: string;
}

/** A place for a service, in which one release follows the other. */
class Seat {
  private running: Program | null = null;
  release: Release | null = null;
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  async start(release: Release): Promise<void> {
    this.release = release;
    const args = ["start", "--port", String(this.port)];
    const place = ["--data", folder.in("data"), "--files", folder.in("files")];
    const variables = {
      ...{ DATABASE_URL: database.url, WHEELHOUSE_ADA_KEY: key },
      WHEELHOUSE_SECRET: "a secret that two releases have, 32+",
    };
    this.running = programs.start([...args, ...place], variables, release.program);
    await untilReady(this.running, this.port);
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.running?.child.kill(signal);
    await this.running?.code;
  }

  /** @returns null where nobody answers, or it is not ready */
  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (answer === null || answer.status === 503) return null;
    const text = await answer.text().catch(() => null);
    return text === null ? null : { status: answer.status, body: JSON.parse(text) };
  }
}

it("S-58: the release before and this one work on one database, killed and exchanged in turn, and nothing is lost", async () => {
  const before: Release = { name: "before", program: buildRelease(releaseBefore(), folder.in("before")) };
  const now: Release = { name: "now", program: builtFile("service/main") };
  const seats = [new Seat(await freePort()), new Seat(await freePort())] as const;
  await seats[0].start(before);
  await seats[1].start(now);

  const runs: string[] = [];
  const conversations: string[] = [];
  let isOver = false;
  /** Asks one after the other until somebody answers: the same key, so that it happens once. */
  const ask = async (path: string, body: object) => {
    const once = { "idempotency-key": randomUUID() };
    let at = runs.length + conversations.length;
    const answers: NonNullable<Awaited<ReturnType<Seat["call"]>>>[] = [];
    await until("somebody answers", async () => {
      const answer = await seats[at++ % 2]?.call("POST", path, body, once);
      if (answer) answers.push(answer);
      return answers.length > 0;
    });
    const [answer = { status: 0, body: {} }] = answers;
    return answer;
  };
  /** Reads one until it has ended, of whichever seat answers. @returns what it was read as last */
  const endOf = async (path: string, states: readonly string[]) => {
    let at = 0;
    let body: RunBody = {};
    await until(
      `${path} is over`,
      async () => {
        body = (await seats[at++ % 2]?.call("GET", path))?.body ?? {};
        return states.includes(body.state ?? "");
      },
      120_000,
    );
    return body;
  };
  const endOfRun = (id: string) => endOf(`/get_pl_run?run_id=${id}&user_id=user_ada`, endStates.run);
  const endOfConversation = (id: string) =>
    endOf(`/agent_status/${id}?user_id=user_ada`, endStates.conversation);
  /** However fast the machine is, no more wait than end while the test looks on. */
  const room = async (started: string[], isEnded: (id: string) => Promise<unknown>) => {
    const [first] = started.length < inHand ? [] : started.splice(0, 1);
    if (first !== undefined) await isEnded(first);
  };
  const starting = async (flow: string) => {
    const started: string[] = [];
    while (!isOver) {
      await room(started, endOfRun);
      const { status, body } = await ask(`/start_pipeline?user_id=user_ada&saved_item_id=${flow}`, {
        name: `run ${runs.length}`,
      });
      expect(status, JSON.stringify(body)).toBe(200);
      runs.push(body.run_id);
      started.push(body.run_id);
    }
  };
  const talking = async () => {
    const started: string[] = [];
    while (!isOver) {
      await room(started, endOfConversation);
      const { status, body } = await ask("/start_agent", {
        ...{ gummie_id: "agent_scribe", user_id: "user_ada" },
        message: `/write_file {"name": "a${conversations.length}.txt", "content": "a"}`,
      });
      expect(status, JSON.stringify(body)).toBe(202);
      conversations.push(body.interaction_id);
      started.push(body.interaction_id);
    }
  };
  const load = Promise.all([starting("flow_nest"), starting("flow_hello"), talking()]);

  const exchanges: string[] = [];
  const end = Date.now() + minutes * 60_000;
  for (let round = 0; Date.now() < end; round++) {
    const seat = seats[round % 2 === 0 ? 0 : 1];
    const done = runs.length + conversations.length;
    await until("both work", () => runs.length + conversations.length >= done + 6);
    await seat.end(round % 3 === 2 ? "SIGTERM" : "SIGKILL");
    const next = seat.release === before ? now : before;
    await seat.start(next);
    exchanges.push(next.name);
  }
  isOver = true;
  await load;
  for (const seat of seats) {
    await seat.end("SIGTERM");
    await seat.start(now);
  }

  for (const id of runs) {
    const { state, log = [] } = await endOfRun(id);
    expect(state, id).toBe("DONE");
    const finished = log.flatMap((line) => /^\S+ \[([^\]]+)\] finished\b/.exec(line)?.[1] ?? []);
    expect(finished, id).toEqual([...new Set(finished)]);
  }
  for (const id of conversations) expect((await endOfConversation(id)).state, id).toBe("COMPLETED");
  const store = await database.open();
  expect(await brokenInvariants(store)).toEqual([]);
  await store.close();
  expect(existsSync(folder.in("files"))).toBe(true);
  expect(new Set(exchanges)).toEqual(new Set(["before", "now"]));
  process.stdout.write(
    `${minutes} minutes: ${runs.length} runs and ${conversations.length} conversations over ${exchanges.length} exchanges, nothing lost\n`,
  );
}, 3_600_000);
