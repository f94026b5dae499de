/**
 * The process of all who have a page open: each asks again what its page shows, as often as the console does, with the tag
 * of the answer before; and starts runs. Told by one message of `OpenPages`, answered by one of `Watched`.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";

/** Somebody with a page open. */
export interface Person {
  readonly id: string;
  readonly key: string;
  /** What the page reads, and how many milliseconds from an answer to the next question. */
  readonly polls: readonly { readonly path: string; readonly everyMs: number }[];
}

/** What is done, for so many milliseconds. */
export interface OpenPages {
  readonly url: string;
  readonly milliseconds: number;
  readonly people: readonly Person[];
  readonly flow: string;
  readonly startsPerSecond: number;
  /** A team that starts by so many clients as fast as it is answered. */
  readonly loud: {
    readonly id: string;
    readonly key: string;
    readonly flow: string;
    readonly clients: number;
  };
}

/** What one poll asked for, without what is asked of it, and how long it took. */
export interface Poll {
  readonly what: string;
  readonly milliseconds: number;
}

/** What came of it; all times in milliseconds. */
export interface Watched {
  readonly polls: readonly Poll[];
  readonly starts: readonly number[];
  /** From the question that started it to the answer that first says that it has ended. */
  readonly ends: readonly number[];
  readonly loudStarts: number;
  /** Each answer that was no success, and each question that had no answer. */
  readonly errors: readonly string[];
}

const endedStates = new Set(["DONE", "FAILED", "TERMINATED"]);
const lookMs = 50;

async function watch({
  url,
  milliseconds,
  people,
  flow,
  startsPerSecond,
  loud,
}: OpenPages): Promise<Watched> {
  const dispatcher = new Agent({ connections: null });
  const end = performance.now() + milliseconds;
  const isOver = () => performance.now() >= end;
  const watched = { polls: [], starts: [], ends: [], loudStarts: 0, errors: [] } as {
    -readonly [K in keyof Watched]: Watched[K] extends readonly (infer T)[] ? T[] : Watched[K];
  };

  /** @returns null where it failed, which is counted */
  async function ask(method: "GET" | "POST", path: string, key: string, tag?: string | undefined) {
    try {
      const { statusCode, headers, body } = await request(`${url}/api/v1${path}`, {
        ...{ method, dispatcher },
        headers: {
          authorization: `Bearer ${key}`,
          ...(tag !== undefined && { "if-none-match": tag }),
          ...(method === "POST" && { "content-type": "application/json" }),
        },
        ...(method === "POST" && { body: "{}" }),
      });
      const text = await body.text();
      if (statusCode < 400)
        return { text, tag: headers.etag === undefined ? undefined : String(headers.etag) };
      watched.errors.push(`${method} ${path}: ${statusCode} ${text.slice(0, 200)}`);
    } catch (error) {
      watched.errors.push(`${method} ${path}: ${String(error)}`);
    }
    return null;
  }

  async function poll({ key }: Person, path: string, everyMs: number) {
    const [what = ""] = path.split(/[?]/);
    let tag: string | undefined;
    // Not all at once.
    await delay(Math.random() * everyMs);
    while (!isOver()) {
      const begun = performance.now();
      tag = (await ask("GET", path, key, tag))?.tag;
      watched.polls.push({ what, milliseconds: performance.now() - begun });
      await delay(everyMs * (0.9 + 0.2 * Math.random()));
    }
  }

  async function startOne({ id, key }: Person) {
    const begun = performance.now();
    const answer = await ask("POST", `/start_pipeline?user_id=${id}&saved_item_id=${flow}`, key);
    if (answer === null) return;
    watched.starts.push(performance.now() - begun);
    const runId = encodeURIComponent(String(JSON.parse(answer.text).run_id));
    while (!isOver()) {
      const run = await ask("GET", `/get_pl_run?run_id=${runId}&user_id=${id}`, key);
      if (run !== null && endedStates.has(JSON.parse(run.text).state)) {
        watched.ends.push(performance.now() - begun);
        return;
      }
      await delay(lookMs);
    }
  }

  async function startAll() {
    const running: Promise<void>[] = [];
    for (let count = 0; !isOver(); count++) {
      const person = people[count % people.length];
      if (person) running.push(startOne(person));
      await delay(1_000 / startsPerSecond);
    }
    await Promise.all(running);
  }

  async function startLoudly() {
    while (!isOver()) {
      const path = `/start_pipeline?project_id=${loud.id}&saved_item_id=${loud.flow}`;
      if ((await ask("POST", path, loud.key)) !== null) watched.loudStarts++;
    }
  }

  await Promise.all([
    startAll(),
    ...people.flatMap((person) => person.polls.map(({ path, everyMs }) => poll(person, path, everyMs))),
    ...Array.from({ length: loud.clients }, startLoudly),
  ]);
  await dispatcher.close();
  return watched;
}

process.on("message", (message) => {
  void watch(message as OpenPages).then((watched) => process.send?.(watched));
});
