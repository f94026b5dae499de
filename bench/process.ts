import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Load, Loaded } from "./load.ts";

/** Another file of this folder as its own process. */
export function forkBench(file: string, environment: Record<string, string> = {}): ChildProcess {
  return fork(join(import.meta.dirname, file), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ...environment },
  });
}

/** What one round of load came to. */
export type Answered = Exclude<Loaded, { readonly error: string }>;

/** One round of load. @throws Error when an answer was not as expected */
export async function answersTo(loader: ChildProcess, load: Load): Promise<Answered> {
  const answered = once(loader, "message");
  loader.send(load);
  const [loaded]: [Loaded] = (await answered) as [Loaded];
  if ("error" in loaded) throw new Error(loaded.error);
  return loaded;
}

/** One round of load. @returns answers per second @throws Error when an answer was not as expected */
export async function answersPerSecond(loader: ChildProcess, load: Load): Promise<number> {
  const { answers, milliseconds } = await answersTo(loader, load);
  return (answers * 1000) / milliseconds;
}
