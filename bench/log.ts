import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { signInByKey } from "../e2e/console.ts";
import { LogService, logServiceKey, logServiceUser, sampleLog } from "../e2e/log-service.ts";
import { Service } from "../e2e/service.ts";
import { type Subject, type Tail, tailOf, wheelFrames } from "./log-measure.ts";
import { serveRivals } from "./log-page.ts";
import { type MainThread, newLines, pollWork } from "./log-poll.ts";
import { plainPage } from "./plain-browser.ts";
import { type Figure, quantile } from "./report.ts";

const sizes = [10_000, 100_000, 1_000_000] as const;
const tailBudget: Readonly<Record<number, number>> = { 100000: 50, 1000000: 150 };
const polledSize = 100_000;
/** A viewer that shows nothing for this long has failed the size. */
const limitMs = 90_000;
/** Rounds of each figure of ours; the others once, beside them. */
const rounds = 3;
/** And polls, with those of the others, which may take seconds each. */
const polls = { ours: 15, others: 5 };

/** Nothing to ask for: the console reads a run that moves again by itself, about once a second. */
const pollsItself = "undefined";

const short = (size: number) => (size >= 1_000_000 ? `${size / 1_000_000}M` : `${size / 1_000}k`);

/**
 * The log viewer over HTTP (through the service's proxy), beside the simplest list of @tanstack/react-virtual,
 * @melloware/react-logviewer and a `<pre>` that fetch and parse on the page: from the last byte handed over to the tail on
 * the screen, frames under a real wheel, and the main thread's work for a poll with 200 new lines.
 */
export async function benchLog(measured: readonly number[] = sizes): Promise<Figure[]> {
  const logs = await LogService.start();
  let current = "";
  const rivals = await serveRivals(logs, () => current);
  const service = await Service.start({ flags: ["--upstream", `big=${logs.url}`] });
  const figures: Figure[] = [];
  const rival = (name: string, has: Subject["has"]): Subject => ({
    name,
    address: `${rivals.url}/?rival=${name}`,
    has,
    poll: "window.poll()",
  });
  const byLine: Subject["has"] = (line) => `document.querySelector('[data-line="${line}"]') !== null`;
  const others = [
    rival("virtual", byLine),
    rival("logviewer", (_, text) => `document.body.textContent.includes(${JSON.stringify(text)})`),
    rival("pre", (line) => `document.querySelector('[data-lines="${line}"]') !== null`),
  ];
  const prepare = async (page: Page, isOurs: boolean) => {
    const as = { connection: "big", key: logServiceKey, user: logServiceUser };
    if (isOurs) await signInByKey(page, { ...as, at: service.url });
  };
  try {
    for (const size of measured) {
      current = `run_${size}`;
      const log = sampleLog(size);
      const ours: Subject = {
        name: "ours",
        address: `${service.url}/runs/${current}`,
        has: byLine,
        poll: pollsItself,
      };
      for (const subject of [ours, ...others]) {
        const isOurs = subject === ours;
        const tails: Tail[] = [];
        const handed: number[] = [];
        const frames: number[] = [];
        for (let round = 1; round <= (isOurs ? rounds : 1); round += 1) {
          logs.set(current, log);
          const page = await plainPage((prepared) => prepare(prepared, isOurs));
          try {
            const tail = await tailOf(page, subject, size, `page ${size - 1} `, limitMs);
            if (tail === null) break;
            tails.push(tail);
            handed.push(tail.painted - (logs.delivered.get(current) ?? 0));
            if (round === rounds || !isOurs) {
              await wait(isOurs && size > 100_000 ? 10_000 : 1_500);
              frames.push(...(await wheelFrames(page)));
            }
          } finally {
            await page.close();
          }
        }
        const works =
          size === polledSize && tails.length > 0
            ? await pollWork({
                ...{ subject, logs, log, id: current, polls: isOurs ? polls.ours : polls.others },
                prepare: (page) => prepare(page, isOurs),
              })
            : [];
        const told = figuresOf(subject.name, size, {
          tails: tails.map(({ painted, arrived }) => painted - arrived),
          ...{ handed, frames, works },
        });
        // It takes minutes: what is known is said at once.
        for (const figure of told) console.log(`  ${figure.name}: ${Math.round(figure.value * 10) / 10} ms`);
        figures.push(...told);
      }
    }
  } finally {
    rivals.stop();
    await service.stop();
    await logs.stop();
  }
  return figures;
}

interface Samples {
  /** To the painted tail, from the last byte in the browser, and from when the service had handed it over. */
  readonly tails: readonly number[];
  readonly handed: readonly number[];
  readonly frames: readonly number[];
  readonly works: readonly MainThread[];
}

function figuresOf(name: string, size: number, { tails, handed, frames, works }: Samples): Figure[] {
  const isOurs = name === "ours";
  const budget = (value: number | undefined) => (isOurs ? (value ?? null) : null);
  const of = (what: string, values: readonly number[], q: number, limit: number | null): Figure[] =>
    values.length === 0
      ? []
      : [
          {
            name: `${name}, ${short(size)}: ${what}`,
            value: quantile(values, q),
            unit: "ms",
            budget: limit,
            samples: values,
          },
        ];
  if (tails.length === 0)
    return [
      { name: `${name}, ${short(size)}: no tail within the limit`, value: limitMs, unit: "ms", budget: null },
    ];
  return [
    ...of("tail after the last byte", tails, 0.5, budget(tailBudget[size])),
    ...of("tail after the service handed it over", handed, 0.5, null),
    ...of("frame under the wheel (p95)", frames, 0.95, budget(20)),
    ...of(
      `main thread for ${newLines} new lines`,
      works.map(({ cpu }) => cpu),
      0.5,
      budget(10),
    ),
    ...of(
      "the same, with its waits for a core",
      works.map(({ tasks }) => tasks),
      0.5,
      null,
    ),
  ];
}
