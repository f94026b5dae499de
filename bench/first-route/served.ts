import { once } from "node:events";
import { forkBench } from "../process.ts";

/** A folder that a process of its own serves. */
export interface Served {
  readonly url: string;
  stop(): void;
}

/** Starts `serve.ts` with this environment. */
export async function serveFolder(environment: Record<string, string>): Promise<Served> {
  const child = forkBench("first-route/serve.ts", environment);
  const [port] = await once(child, "message");
  return { url: `http://localhost:${port}`, stop: () => void child.kill() };
}
