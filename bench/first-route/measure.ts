import { loadavg } from "node:os";
import type { Browser } from "@playwright/test";
import { keys } from "../../e2e/service.ts";
import { peerPages } from "./peer.ts";
import { createQuiet } from "./quiet.ts";
import { floorMarks, type Route } from "./routes.ts";
import type { Sample } from "./sample.ts";
import { createScripts } from "./scripts.ts";
import type { Served } from "./served.ts";
import { type Aim, type Visit, visit } from "./visit.ts";

/** Whose page it is. */
export type Side = "floor" | "ours" | "peer";

/** One visit as it is kept. */
export interface Kept {
  readonly side: Side;
  readonly round: number;
  /** Share of the processors that was busy before it began. */
  readonly busyBefore: number;
  readonly firstPaint: number;
  readonly frame: number;
  readonly ready: number;
  readonly blocking: number;
  readonly longestTask: number;
  readonly requests: number;
  readonly scripts: number;
  readonly scriptsGzip: number;
  readonly scriptsUnnamed: number;
}

/** All that is known of a route after the rounds. */
export interface Measured {
  readonly route: Route;
  readonly visits: readonly Kept[];
  /** The requests of the last visit to ours, one in a line, in ms. */
  readonly lastRequests: readonly string[];
}

export interface Parts {
  readonly browser: Browser;
  readonly sample: Sample;
  readonly floor: Served;
  /** Null where its package cannot be had. */
  readonly peer: Served | null;
}

/** Visits each route of each side, in turn, for so many rounds: what disturbs one disturbs the others. */
export async function measure(parts: Parts, routes: readonly Route[], rounds: number): Promise<Measured[]> {
  const { browser, sample, floor, peer } = parts;
  const aims = (route: Route): readonly (readonly [Side, Aim])[] => {
    const ours = { url: sample.service.url + route.path, marks: route };
    const page = route.peer && peerPages[route.peer];
    return [
      ["floor", { url: floor.url + route.floor, marks: floorMarks, stored: { "floor-key": keys.ada } }],
      ["ours", route.signedIn ? { ...ours, stored: sample.stored } : ours],
      ...(page && peer ? [["peer", { url: peer.url + page.path, marks: page.marks }] as const] : []),
    ];
  };
  const readScripts = {
    floor: createScripts(floor.url),
    ours: createScripts(sample.service.url),
    peer: createScripts(peer?.url ?? ""),
  };
  const quiet = createQuiet();
  const kept = new Map<Route, Kept[]>(routes.map((route) => [route, []]));
  const last = new Map<Route, readonly string[]>();
  for (let round = 0; round < rounds; round++) {
    for (const route of routes) {
      // Each is as often the first as the last.
      const order = round % 2 === 0 ? aims(route) : [...aims(route)].reverse();
      for (const [side, aim] of order) {
        const busyBefore = await quiet();
        const seen = await visit(browser, aim);
        const { pathname, search } = new URL(aim.url);
        const scripts = await readScripts[side](pathname + search, seen.asked);
        kept.get(route)?.push(keep(side, round, busyBefore, seen, scripts));
        if (side === "ours") last.set(route, seen.asked.map(lineOf));
      }
    }
    console.log(`  round ${round + 1} of ${rounds} done; load ${loadavg()[0]?.toFixed(1)}`);
  }
  return routes.map((route) => ({
    route,
    visits: kept.get(route) ?? [],
    lastRequests: last.get(route) ?? [],
  }));
}

function keep(
  side: Side,
  round: number,
  busyBefore: number,
  { firstPaint, frame, ready, blocking, longestTask, asked }: Visit,
  scripts: { count: number; gzip: number; unnamed: readonly string[] },
): Kept {
  const whole = Math.round;
  return {
    ...{ side, round, busyBefore, firstPaint: whole(firstPaint), frame: whole(frame), ready: whole(ready) },
    ...{ blocking: whole(blocking), longestTask: whole(longestTask), requests: asked.length },
    ...{ scripts: scripts.count, scriptsGzip: scripts.gzip, scriptsUnnamed: scripts.unnamed.length },
  };
}

const lineOf = ({ start, end, type, path }: Visit["asked"][number]) =>
  `${Math.round(start)} to ${end < 0 ? "after ready" : Math.round(end)}: ${type} ${path.slice(0, 100)}`;
