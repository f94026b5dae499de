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

/** One round of load. @returns answers per second @throws Error when an answer was not as expected */
export async function answersPerSecond(loader: ChildProcess, load: Load): Promise<number> {
  const answered = once(loader, "message");
  loader.send(load);
  const [loaded]: [Loaded] = (await answered) as [Loaded];
  if ("error" in loaded) throw new Error(loaded.error);
  return (loaded.answers * 1000) / loaded.milliseconds;
}
