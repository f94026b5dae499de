import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { WebSocket } from "undici";
import * as z from "zod";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";

const startLimitMs = 30_000;
const wait = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

/** Asks the browser by its debugging protocol. */
export type Ask = (
  method: string,
  params?: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/** A page that nothing listens to: what is asked of it is all that a tool costs it. */
export interface PlainPage {
  /** A connection of its own, in which nothing is switched on yet. */
  connect(): Promise<Ask>;
  /** What an expression comes to in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>;
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
    await page.setViewportSize({ width: 1440, height: 900 });
    await prepare(page);
    const address = await debuggerAddress(port, page.url());
    await browser.close();
    const ask = await connect(address);
    return {
      connect: () => connect(address),
      evaluate: (expression) => evaluate(ask, expression),
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

const reply = z.object({
  /** Missing in what nobody asked for. */
  id: z.number().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Reply = z.infer<typeof reply>;

async function connect(address: string): Promise<Ask> {
  const socket = new WebSocket(address);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`No connection to ${address}`)));
  });
  const asked = new Map<number, (reply: Reply) => void>();
  socket.addEventListener("message", ({ data }) => {
    const told = reply.parse(JSON.parse(String(data)));
    if (told.id === undefined) return;
    asked.get(told.id)?.(told);
    asked.delete(told.id);
  });
  let last = 0;
  return async (method, params = {}) => {
    last += 1;
    const id = last;
    const { result, error } = await new Promise<Reply>((resolve) => {
      asked.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
}

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

async function evaluate(ask: Ask, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = evaluated.parse(await ask("Runtime.evaluate", { expression }));
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result.value;
}
