import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { placeText } from "../service/files/open-files.ts";
import { type AgentService, startAgentService } from "./agents.ts";
import { builtFile } from "./built.ts";

/**
 * Starts a process that works on what the service has started, as `wheelhouse worker` would, for tests that kill it.
 * @param data its own data directory
 * @param variables of its environment beside those that it needs
 * @returns it, at work
 */
export async function startWorkerProcess(
  app: AgentService,
  data: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const root = resolve(import.meta.dirname, "../..");
  const { filesAt, workspaceDirectory } = app.context.config;
  const folders = ["--workspace", workspaceDirectory, "--data", data, "--files", placeText(filesAt)];
  const worker = spawn(
    process.execPath,
    [builtFile("service/main"), "worker", "--empty", ...folders, "--concurrency", "5"],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: app.service.databaseUrl,
        WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
        WHEELHOUSE_OPENAI_COMPATIBLE_URL: app.model.url,
        WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "fake",
        ...variables,
      },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  await new Promise<void>((ready, failed) => {
    worker.stdout?.once("data", () => ready());
    worker.once("exit", (code) => failed(new Error(`the worker ended with ${code}`)));
  });
  worker.removeAllListeners("exit");
  return worker;
}

/** Kills it where it still lives. @returns when it is gone */
async function end(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, "exit");
  worker.kill("SIGKILL");
  await gone;
}

/** A service that only takes requests, for a test file that kills the workers in which everything runs. */
export function killableWorkers(): {
  /** The service; there once the tests run. */
  readonly app: () => AgentService;
  /** Starts one more worker; it is killed at the end at the latest. */
  readonly startWorker: () => Promise<ChildProcess>;
  /** All that were started, in order, also those that are dead. */
  readonly workers: readonly ChildProcess[];
} {
  const workers: ChildProcess[] = [];
  const data = mkdtempSync(join(tmpdir(), "wheelhouse-kill-"));
  let app: AgentService | undefined;
  const running = (): AgentService => {
    if (app === undefined) throw new Error("the service is started before the first test");
    return app;
  };
  beforeAll(async () => {
    app = await startAgentService({ work: false });
  });
  afterAll(async () => {
    // None of them still writes into the folders that go now.
    await Promise.all(workers.map(end));
    await app?.stop();
    rmSync(data, { recursive: true, force: true });
  });
  return {
    app: running,
    workers,
    startWorker: async () => {
      const worker = await startWorkerProcess(running(), data);
      workers.push(worker);
      return worker;
    },
  };
}
