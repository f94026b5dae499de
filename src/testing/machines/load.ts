import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** One request, as its client saw it. */
export interface Asked {
  /** Monotonic, in milliseconds, before and after. */
  readonly from: number;
  readonly to: number;
  readonly what: string;
  /** Null: no answer; `failure` says why. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly failure: string | null;
}

/** What people and programs do all the time, by one address. */
export interface Load {
  /** All requests, in the order of their ends. */
  readonly asked: readonly Asked[];
  /** Of every start that was accepted. */
  readonly runs: readonly string[];
  readonly conversations: readonly string[];
  /** What was downloaded and is not what was written. */
  readonly wrong: readonly string[];
  /** Large downloads that came to their end, from the request to the last byte. */
  readonly slow: readonly { readonly from: number; readonly to: number }[];
  /** Requests that got none of the answers that they want, since a moment. */
  failedSince(from: number): Asked[];
  /** One request. @returns null where it failed */
  ask(what: string, method: string, path: string, body?: object, once?: string): Promise<Response | null>;
  /** @returns when all that is under way has its answer */
  stop(): Promise<void>;
}

/** Milliseconds from one to the next of the same client. */
const paces = { start: 150, talk: 400, poll: 60, download: 300, slow: 500 } as const;
const fileOf = (at: number) => `a${at}.txt`;
const contentOf = (at: number) => `content of ${at} `.repeat(50);

/** @param base `http://host:port` of the load balancer */
export function startLoad(
  base: string,
  key: string,
  flows: { readonly run: string; readonly large: string },
): Load {
  const asked: Asked[] = [];
  const runs: string[] = [];
  const conversations: string[] = [];
  const wrong: string[] = [];
  const slow: { from: number; to: number }[] = [];
  let isOver = false;

  async function ask(what: string, method: string, path: string, body?: object, once?: string) {
    const from = performance.now();
    const note = (status: number | null, more: Partial<Asked> = {}) =>
      asked.push({ from, to: performance.now(), what, status, retryAfter: null, failure: null, ...more });
    try {
      const answer = await fetch(path.startsWith("http") ? path : `${base}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(once === undefined ? {} : { "idempotency-key": once }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer.ok) {
        note(answer.status);
        return answer;
      }
      const failure = await answer.text().catch(() => "its body broke off");
      note(answer.status, { retryAfter: answer.headers.get("retry-after"), failure });
    } catch (error) {
      const cause = error instanceof Error ? String(error.cause ?? error.message) : String(error);
      note(null, { failure: cause });
    }
    return null;
  }

  /** A body that breaks off is a request that failed. */
  async function read<T>(what: string, body: Promise<T>): Promise<T | null> {
    const from = performance.now();
    return await body.catch((error: unknown) => {
      const failure = `the answer broke off: ${String(error)}`;
      asked.push({ from, to: performance.now(), what, status: null, retryAfter: null, failure });
      return null;
    });
  }

  async function every(ms: number, work: () => Promise<void>): Promise<void> {
    while (!isOver) {
      await work();
      await pause(ms);
    }
  }

  /** The same start again until it is answered, as a program does that does not want it twice. */
  async function startOnce(what: string, path: string, body: object): Promise<Record<string, string>> {
    const once = randomUUID();
    for (;;) {
      const answer = await ask(what, "POST", path, body, once);
      const started = answer && (await read<Record<string, string>>(what, answer.json()));
      if (started) return started;
      await pause(paces.start);
    }
  }

  const starting = async () => {
    const path = `/start_pipeline?user_id=user_ada&saved_item_id=${flows.run}`;
    const started = await startOnce("start a run", path, { name: randomUUID() });
    runs.push(started.run_id ?? "");
  };
  let talks = 0;
  const talking = async () => {
    const at = talks++;
    const message = `/write_file ${JSON.stringify({ name: fileOf(at), content: contentOf(at) })}`;
    const started = await startOnce("start a conversation", "/start_agent", {
      ...{ gummie_id: "agent_scribe", user_id: "user_ada", message },
    });
    conversations.push(started.interaction_id ?? "");
  };
  let polls = 0;
  const polling = async () => {
    const at = polls++;
    const id = at % 3 === 0 ? conversations.at(-1) : runs.at(-1 - (at % 7));
    if (id === undefined) return;
    const path =
      at % 3 === 0 ? `/agent_status/${id}?user_id=user_ada` : `/get_pl_run?run_id=${id}&user_id=user_ada`;
    const answer = await ask("poll", "GET", path);
    if (answer) await read("poll", answer.text());
  };
  const downloading = async () => {
    const listed = await ask("list files", "GET", "/agents/agent_scribe/artifacts?page_size=5");
    const page = listed && (await read("list files", listed.json()));
    for (const { filename, url } of page?.artifacts ?? []) {
      const answer = await ask("download", "GET", url);
      const text = answer && (await read("download", answer.text()));
      if (text !== null && text !== contentOf(Number(filename.replace(/\D/g, "")))) wrong.push(filename);
    }
  };
  /** A large download by somebody with a slow line: some seconds are always under way. */
  let large: string | undefined;
  let sizeOfLarge: number | undefined;
  const downloadingSlowly = async () => {
    if (large === undefined) {
      const path = `/start_pipeline?user_id=user_ada&saved_item_id=${flows.large}`;
      const { run_id: id = "" } = await startOnce("start a run", path, {});
      runs.push(id);
      for (let state = ""; state !== "DONE" && !isOver; ) {
        const answer = await ask("poll", "GET", `/get_pl_run?run_id=${id}&user_id=user_ada`);
        state = (answer && (await read("poll", answer.json())))?.state ?? "";
        if (state === "FAILED") {
          wrong.push("the run that writes large.txt failed");
          return;
        }
        await pause(paces.poll);
      }
      large = id;
    }
    const body = { run_id: large, user_id: "user_ada", file_names: ["large.txt"] };
    const from = performance.now();
    const answer = await ask("slow download", "POST", "/download_files", body);
    if (answer?.body == null) return;
    let size = 0;
    let rested = 0;
    const reading = async () => {
      for await (const piece of answer.body ?? []) {
        size += piece.length;
        if (size - rested < 100_000) continue;
        rested = size;
        await pause(60);
      }
      return size;
    };
    const whole = await read("slow download", reading());
    if (whole === null) return;
    // It is always the same file.
    sizeOfLarge ??= whole;
    if (whole !== sizeOfLarge) wrong.push("large.txt");
    slow.push({ from, to: performance.now() });
  };

  const clients = Promise.all([
    every(paces.start, starting),
    every(paces.start, starting),
    every(paces.talk, talking),
    ...Array.from({ length: 3 }, () => every(paces.poll, polling)),
    every(paces.download, downloading),
    every(paces.slow, downloadingSlowly),
  ]);
  return {
    ...{ asked, runs, conversations, wrong, slow, ask },
    failedSince: (since) => asked.filter(({ from, failure }) => from >= since && failure !== null),
    async stop() {
      isOver = true;
      await clients;
    },
  };
}
