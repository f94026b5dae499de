import type { Page } from "@playwright/test";
import type { HostileAnswer, HostileRequest, HostileService } from "../src/testing/hostile/server.ts";
import { spoilAnswer, spoilings } from "../src/testing/hostile/spoil-answer.ts";
import { everyPageAt, healthy } from "./every-page.ts";
import { expect, expectNoScript, test } from "./hostile.ts";
import { expectNoSkeleton } from "./settled.ts";

/** `SEED` and `ANSWERS` make another portion of the whole. */
const seed = Number(process.env.SEED ?? 1);
const count = Number(process.env.ANSWERS ?? 100_000);
/** A page waits for frames, timers and answers more than it works: several at once, each in a browser of its own. */
const parts = [1, 2, 3, 4, 5, 6];

// It would hold every request of hours; what was answered is said where a page is wrong.
test.use({ trace: "off" });

interface Visitor {
  readonly signedIn: Page;
  readonly hostile: HostileService;
  readonly watched: { readonly allow: (piece: string | RegExp) => void };
}

/** Opens a page without loading the console anew, and waits until it rests. @returns what is wrong with it; null: nothing */
async function visit(page: Page, address: string): Promise<string | null> {
  return page.evaluate(async (to) => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    const text = () => (document.querySelector("main")?.textContent ?? "").trim();
    const isStill = () => text() !== "" && document.querySelector(".appear-late, [aria-busy=true]") === null;
    history.pushState({}, "", to);
    const until = performance.now() + 30_000;
    // For a few frames: the page before is no answer of this one.
    for (let still = 0; still < 3 && performance.now() < until; still = isStill() ? still + 1 : 0)
      await frame();
    if (text() === "") return "a white page";
    if (!isStill()) return `it never comes to rest: ${text().slice(0, 120)}`;
    const said = document.body.textContent ?? "";
    const unworded = /.{0,40}(\bNaN\b|\bundefined\b|\[object |Invalid Date|\bInfinity\b).{0,20}/.exec(said);
    if (unworded) return `says ${unworded[0]}`;
    return /This page could not be shown/.test(said) ? "it could not be shown" : null;
  }, address);
}

async function visitAll({ signedIn: page, hostile, watched }: Visitor, part: number): Promise<void> {
  // Answers with 5xx, of which the browser tells by itself.
  watched.allow(/Failed to load resource/);
  // The same in each run of a seed, whatever else runs.
  const left = spoilings(seed, count).filter((_, index) => index % parts.length === part - 1);
  const all = left.length;
  const routes = new Set<string>();
  let given: string[] = [];
  const spoil = (request: HostileRequest): HostileAnswer => {
    const good = healthy(request);
    // Which pages there are is asked once, when the console is loaded.
    if (good.status >= 400 || request.path === "/capabilities") return good;
    const one = left.pop();
    if (one === undefined) return good;
    routes.add(request.route);
    const { answer, words } = spoilAnswer(good.json, one);
    given.push(`${request.method} ${request.path}: ${words}`);
    return answer;
  };
  const wrong: string[] = [];
  const tools = await page.context().newCDPSession(page);
  for (let round = 0; left.length > 0 && wrong.length < 20; round++) {
    // Anew now and then, so that nothing is known from before.
    hostile.on("*", healthy);
    await page.goto("/runs");
    await expectNoSkeleton(page);
    hostile.on("*", spoil);
    for (const address of everyPageAt(round)) {
      given = [];
      const found = await visit(page, address);
      if (found !== null) wrong.push([`${address}: ${found}`, ...given].join("\n    "));
    }
    hostile.requests.length = 0;
    await expectNoScript(page);
    // A tab that never rests keeps the documents that it has left for hours, until its process is out of memory.
    await tools.send("HeapProfiler.collectGarbage");
    process.stdout.write(
      `part ${part}: ${all - left.length} answers, ${round + 1} rounds, ${wrong.length} wrong\n`,
    );
  }
  process.stdout.write(
    `seed ${seed}, part ${part}: ${all - left.length} spoiled answers of ${routes.size} routes\n`,
  );
  expect(wrong.join("\n")).toBe("");
}

test.describe("C-01 C-04 C-05 C-06 spoiled answers over all pages: no white page, script, foreign request or rejection", {
  tag: "@long",
}, () => {
  test.describe.configure({ mode: "parallel" });
  for (const part of parts) {
    test(`part ${part}`, async ({ signedIn, hostile, watched }) => {
      test.setTimeout(24 * 3_600_000);
      await visitAll({ signedIn, hostile, watched }, part);
    });
  }
});
