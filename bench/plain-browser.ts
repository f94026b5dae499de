import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { WebSocket } from "undici";
import * as z from "zod";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";

const startLimitMs = 30_000;
/** A page that says nothing for so long is taken for stuck. */
const answerLimitMs = 90_000;
const screen = { width: 1440, height: 900 };

/** The page, or the browser, did not answer in time. */
export class NoAnswer extends Error {}

/**
 * Asks the browser by its debugging protocol: the page, or one of its workers by the session that it has with it.
 * @throws NoAnswer
 */
export type Ask = (
  method: string,
  params?: Readonly<Record<string, unknown>>,
  session?: string,
) => Promise<Record<string, unknown>>;

/** A page that nothing listens to: what is asked of it is all that a tool costs it. */
export interface PlainPage {
  readonly ask: Ask;
  /** Another connection, in which nothing is switched on yet. */
  connect(): Promise<Ask>;
  /** What an expression comes to in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** The same in each of its workers. From then on the browser tells of each that is added. */
  evaluateInWorkers(expression: string): Promise<unknown[]>;
  close(): Promise<void>;
}

/**
 * A page in a Chromium of its own that Playwright prepares and then lets go of. Playwright has the browser tell it of
 * every piece of every answer, on the page's main thread: with an answer of several megabytes those are milliseconds that
 * no person's browser spends.
 * @param prepare brings the page to where it shall be measured
 */
export async function plainPage(prepare: (page: Page) => Promise<void>): Promise<PlainPage> {
  const profile = mkdtempSync(join(tmpdir(), "wheelhouse-bench-profile-"));
  const flags = [
    "--headless=new",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
    "--no-first-run",
  ];
  const child = spawn(ensureChromium(), [...chromiumFlags, ...flags, "about:blank"], { stdio: "ignore" });
  const close = async () => {
    await ended(child);
    // Its helpers write a moment longer than it lives.
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    const port = await debuggingPort(profile);
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    // The context that the browser began with: one that was added here would go with the connection.
    const page = await browser.contexts()[0]?.newPage();
    if (page === undefined) throw new Error("Chromium has no context");
    await prepare(page);
    const address = await debuggerAddress(port, page.url());
    await browser.close();
    const { ask, workers } = await connect(address);
    await ask("Emulation.setDeviceMetricsOverride", { ...screen, deviceScaleFactor: 1, mobile: false });
    return {
      ask,
      connect: async () => (await connect(address)).ask,
      evaluate: (expression) => evaluate(ask, expression),
      async evaluateInWorkers(expression) {
        // Answered when all that are there have been told of.
        await ask("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
        return Promise.all([...workers].map((session) => evaluate(ask, expression, session)));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

/** Chromium writes the port that it chose into its profile. */
async function debuggingPort(profile: string): Promise<number> {
  const file = join(profile, "DevToolsActivePort");
  const deadline = performance.now() + startLimitMs;
  while (performance.now() < deadline) {
    const [port] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    if (port !== undefined && port !== "") return Number(port);
    await wait(50);
  }
  throw new Error(`Chromium did not say its port within ${startLimitMs} ms`);
}

const target = z.object({ type: z.string(), url: z.string(), webSocketDebuggerUrl: z.string() });

async function debuggerAddress(port: number, url: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json`);
  const targets = z.array(target).parse(await response.json());
  const found = targets.find((one) => one.type === "page" && one.url === url);
  if (found === undefined) throw new Error(`Chromium shows no page at ${url}`);
  return found.webSocketDebuggerUrl;
}

const reply = z.object({ id: z.number(), result: z.record(z.string(), z.unknown()) });
const refusal = z.object({ id: z.number(), error: z.object({ message: z.string() }) });
const attached = z.object({
  method: z.literal("Target.attachedToTarget"),
  params: z.object({ sessionId: z.string(), targetInfo: z.object({ type: z.literal("worker") }) }),
});
const other = z.object({ method: z.string() });
const heard = z.union([reply, refusal, attached, other]);
type Reply = z.infer<typeof reply | typeof refusal>;

async function connect(address: string): Promise<{ ask: Ask; workers: ReadonlySet<string> }> {
  const socket = new WebSocket(address);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`No connection to ${address}`)));
  });
  const asked = new Map<number, (reply: Reply) => void>();
  const workers = new Set<string>();
  socket.addEventListener("message", ({ data }) => {
    const told = heard.parse(JSON.parse(String(data)));
    if ("id" in told) asked.get(told.id)?.(told);
    else if ("params" in told) workers.add(told.params.sessionId);
  });
  let last = 0;
  const ask: Ask = async (method, params = {}, sessionId) => {
    last += 1;
    const id = last;
    const told = await new Promise<Reply>((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new NoAnswer(`${method}: no answer in ${answerLimitMs} ms`)),
        answerLimitMs,
      );
      asked.set(id, (answer) => {
        clearTimeout(limit);
        resolve(answer);
      });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    }).finally(() => asked.delete(id));
    if ("error" in told) throw new Error(`${method}: ${told.error.message}`);
    return told.result;
  };
  return { ask, workers };
}

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

async function evaluate(ask: Ask, expression: string, session?: string): Promise<unknown> {
  const params = { expression, returnByValue: true };
  const { result, exceptionDetails } = evaluated.parse(await ask("Runtime.evaluate", params, session));
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result.value;
}
