import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { keys, type Service } from "../e2e/service.ts";

/** Starts a `wheelhouse worker` on a service's data, and waits until it says that it is there. */
export async function addWorker({ data }: Service, flags: readonly string[] = []): Promise<ChildProcess> {
  const main = join(import.meta.dirname, "../dist/service/main.js");
  const worker = spawn(process.execPath, [main, "worker", "--data", data, ...flags], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, WHEELHOUSE_ADA_KEY: keys.ada },
  });
  await once(worker.stdout, "data");
  return worker;
}

/** Ends it in order. */
export async function stopped(process: ChildProcess): Promise<void> {
  const ended = once(process, "exit");
  process.kill("SIGTERM");
  await ended;
}
