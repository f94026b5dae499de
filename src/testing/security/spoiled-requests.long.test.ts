import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";
import { commonErrors, type ErrorCode, errorCatalogue } from "../../contract/errors.ts";
import { builtFile } from "../built.ts";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";
import { operationNames, type Parts } from "./operations.ts";
import { change, goodParts, spoiled, textOf } from "./spoil-request.ts";
import { addressOf, type RecordedAnswer, recordAnswer, startWorld, type World } from "./world.ts";

/** `SEED` and `REQUESTS` make another portion of the whole. */
const seed = Number(process.env.SEED ?? 1);
const count = Number(process.env.REQUESTS ?? 1_000_000);
/** So many are under way at once. */
const atOnce = 8;
/** So many of one operation are about one object, which they may take away. */
const perObject = 500;

let world: World;
let child: ChildProcess;
let url: string;
let said = "";

/** The service in a process of its own, which checks what it answers by the contract, on the database of the world. */
beforeAll(async () => {
  world = await startWorld();
  const { config } = world.context;
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const files = config.filesAt.type === "folder" ? config.filesAt.path : "";
  const places = ["--data", join(config.dataDirectory, "other"), "--files", files];
  child = spawn(
    process.execPath,
    [
      builtFile("service/main"),
      "start",
      "--port",
      String(port),
      "--workspace",
      config.workspaceDirectory,
      ...places,
    ],
    {
      cwd: resolve(import.meta.dirname, "../../.."),
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: world.service.databaseUrl },
        ...{ WHEELHOUSE_SECRET: "a secret that only tests have, 32+", WHEELHOUSE_CHECK_ANSWERS: "1" },
      },
    },
  );
  child.stderr?.on("data", (text) => (said = (said + String(text)).slice(-10_000)));
  await until("the process is ready", async () => {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${said}`);
    return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  });
});
afterAll(async () => {
  const closed = new Promise((done) => child.once("close", done));
  child.kill("SIGTERM");
  await closed;
  await world.stop();
});

const residentMb = () => (Number(readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ")[1]) * 4) / 1024;

/** Why an answer is none of the contract; null: it is one. Those that succeed are checked by the service itself. */
function outsideContract(operation: EndpointName, { status, error, text }: RecordedAnswer): string | null {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`;
  const endpoint = endpoints[operation];
  if (status === endpoint.status || status === 304) return null;
  const may = new Set<ErrorCode>([...commonErrors, ...endpoint.errors, ...Object.values(endpoint.missing)]);
  const fits = [...may].some((code) => {
    const { status: its, value } = errorCatalogue[code];
    return its === status && (code === error || value === error);
  });
  return fits ? null : `${status} ${error} is none of its errors: ${text.slice(0, 300)}`;
}

/** Megabytes per unit of x, by least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([at]) => at), mean(([, mb]) => mb)];
  return mean(([at, mb]) => (at - x) * (mb - y)) / mean(([at]) => (at - x) ** 2);
}

test(
  "S-13: a million spoiled requests over all operations: no 5xx, no exit, no answer outside the contract, no memory slope",
  async () => {
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    const memory: [number, number][] = [];
    const parts = new Map<EndpointName, Parts>();
    const asked = new Map<EndpointName, number>();
    let sent = 0;
    const ask = async (operation: EndpointName, one: Parameters<typeof spoiled>[1]) => {
      const times = asked.get(operation) ?? 0;
      asked.set(operation, times + 1);
      if (times % perObject === 0) parts.set(operation, await goodParts(world.context, operation));
      const request = spoiled(parts.get(operation) ?? {}, one);
      const body = textOf(operation, request);
      const headers = { authorization: `Bearer ${world.credentials.owner}`, "x-auth-key": "user_ann" };
      const more = body === undefined ? {} : { body };
      const heard = await recordAnswer(
        await fetch(url + addressOf(operation, request), {
          ...{ method: endpoints[operation].method, redirect: "manual", ...more },
          headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        }),
      );
      statuses.set(heard.status, (statuses.get(heard.status) ?? 0) + 1);
      const why = outsideContract(operation, heard);
      if (why !== null) wrong.push(`${operation} ${JSON.stringify(request).slice(0, 500)}: ${why}`);
    };
    const begun = performance.now();
    for (let portion = 0; sent < count && wrong.length < 20; portion++) {
      const changes = fc.sample(change, {
        seed: seed * 1_000_003 + portion,
        numRuns: Math.min(2_000, count - sent),
      });
      const first = sent;
      const work = async () => {
        for (let one = changes.shift(); one !== undefined; one = changes.shift()) {
          const operation = operationNames[sent++ % operationNames.length];
          if (operation !== undefined) await ask(operation, one);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      memory.push([sent, residentMb()]);
      if (Math.floor(first / 50_000) !== Math.floor(sent / 50_000) || sent >= count)
        process.stdout.write(`${sent} requests, ${residentMb().toFixed(0)} MB, ${wrong.length} wrong\n`);
    }
    const half = memory.filter(([at]) => at > sent / 2);
    const grown = slope(half) * (sent / 2);
    const seconds = (performance.now() - begun) / 1_000;
    process.stdout.write(
      `seed ${seed}: ${sent} requests in ${seconds.toFixed(0)} s; ${JSON.stringify([...statuses].sort())}; ` +
        `RSS ${memory[0]?.[1].toFixed(0)} MB at first, ${memory.at(-1)?.[1].toFixed(0)} MB at last, ` +
        `${grown.toFixed(1)} MB by the slope of the second half\n`,
    );
    expect(wrong.join("\n")).toBe("");
    expect(child.exitCode, said).toBeNull();
    // What a heap needs until it has its size; of a million a leak of 100 bytes a request would be 50 MB.
    expect(grown).toBeLessThan(40);
  },
  24 * 3_600_000,
);
