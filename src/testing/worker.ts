import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import type { AgentService } from "./agents.ts";

/**
 * Starts a process that works on what the service has started, as `wheelhouse worker` would, for tests that kill it.
 * @param data its own data directory
 * @returns it, at work
 */
export async function startWorkerProcess(app: AgentService, data: string): Promise<ChildProcess> {
  const root = resolve(import.meta.dirname, "../..");
  const { filesDirectory, workspaceDirectory } = app.context.config;
  const folders = ["--workspace", workspaceDirectory, "--data", data, "--files", filesDirectory];
  const worker = spawn(
    process.execPath,
    ["--import", "tsx", "src/service/main.ts", "worker", "--empty", ...folders, "--concurrency", "5"],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: app.service.databaseUrl,
        WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
        WHEELHOUSE_OPENAI_COMPATIBLE_URL: app.model.url,
        WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "fake",
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
