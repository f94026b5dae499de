import { writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";
import { figuresOf, tableOf } from "./first-route/figures.ts";
import { buildFloor, serveFloor } from "./first-route/floor.ts";
import { type Measured, measure } from "./first-route/measure.ts";
import { peerName, servePeer } from "./first-route/peer.ts";
import { routesOf } from "./first-route/routes.ts";
import { startSample } from "./first-route/sample.ts";
import { selfCheck } from "./first-route/self-check.ts";
import type { Served } from "./first-route/served.ts";
import { conditions } from "./first-route/visit.ts";
import type { Bench } from "./report.ts";

/**
 * A browser that is watched wants to know where each `Error` was made, react-dom makes some as it begins, and V8 reads the
 * script of each caller again to find out, which no visitor's browser does (a trace without a watcher has none of it). With
 * this flag V8 notes it as it compiles, for all that is measured.
 */
const notesPositions = "--js-flags=--no-enable-lazy-source-positions";

/**
 * Every route as a browser with an empty cache opens it, signed in, on a slow laptop and a slow line: when something, the
 * frame and the first real content are painted, how long the main thread was blocked until then, and what was asked for.
 * In the same rounds the floor (this stack with next to no code, reading the same answer) and the console of a peer.
 * @param wanted names of routes; none: all, and only then the record is kept
 */
export async function benchFirstRoute(wanted: readonly string[], rounds = 5): ReturnType<Bench> {
  const ends: (() => unknown)[] = [];
  const executablePath = ensureChromium();
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags, notesPositions] });
  ends.push(() => browser.close());
  try {
    const sample = await startSample(browser);
    ends.push(sample.stop);
    const built = await buildFloor();
    ends.push(built.remove);
    const floor = await serveFloor(built.folder, sample.service.url);
    ends.push(floor.stop);
    const { peer, why } = await peerOrWhyNot();
    if (peer) ends.push(peer.stop);
    const routes = routesOf(sample.ids);
    const unknown = wanted.filter((name) => routes.every((route) => route.name !== name));
    if (unknown.length > 0)
      throw new Error(
        `No route ${unknown.join(", ")}; there are: ${routes.map((one) => one.name).join(", ")}`,
      );
    const check = await selfCheck(browser, built.folder, sample.service.url);
    const loadBefore = loadavg();
    const chosen = routes.filter((route) => wanted.length === 0 || wanted.includes(route.name));
    const all = await measure({ browser, sample, floor, peer }, chosen, rounds);
    console.log(`\n${tableOf(all)}`);
    const raw = {
      conditions: { ...conditions, rounds, browser: browser.version() },
      load: { before: loadBefore, after: loadavg() },
      peer: why ?? peerName,
      selfCheck: check,
      routes: all.map(recordOf),
    };
    const figures = all.flatMap(figuresOf);
    if (wanted.length === 0) return { figures, raw };
    const file = join(tmpdir(), "wheelhouse-first-route.json");
    writeFileSync(file, JSON.stringify({ figures, ...raw }, null, 2));
    console.log(`\nOnly some routes: the record of all stays as it is; these are in ${file}`);
    return { figures, raw: null };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const recordOf = ({ route, visits, lastRequests }: Measured) => ({
  ...{ name: route.name, path: route.path, floor: route.floor, ready: route.ready, visits, lastRequests },
});

async function peerOrWhyNot(): Promise<{ peer: Served | null; why: string | null }> {
  try {
    return { peer: await servePeer(), why: null };
  } catch (error) {
    const why = `left out: ${error instanceof Error ? error.message : String(error)}`;
    console.log(`  The peer is ${why}`);
    return { peer: null, why };
  }
}
