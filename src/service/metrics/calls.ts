import { Counter, Histogram, type Registry } from "prom-client";
import type { FileStore } from "../files/file-store.ts";
import type { Mcp, McpAnswer, McpCall } from "../mcp/mcp.ts";
import { McpError } from "../mcp/mcp-error.ts";
import { ModelError } from "../models/model-error.ts";
import type { Models } from "../models/models.ts";

/** Up to these many seconds. */
const buckets = [0.05, 0.25, 1, 2.5, 5, 15, 60, 120];

/** Counts calls of language models by model, and their tokens. */
export function meteredModels(models: Models, registry: Registry): Models {
  const registers = [registry];
  const calls = new Histogram({
    ...{ name: "wheelhouse_model_call_seconds", registers, labelNames: ["model", "outcome"], buckets },
    help: "Calls of language models: `ok`, or how they failed",
  });
  const tokens = new Counter({
    ...{ name: "wheelhouse_model_tokens_total", registers, labelNames: ["model", "direction"] },
    help: "Tokens as the models' providers count them, `input` and `output`",
  });
  return {
    ...models,
    async ask(request) {
      // What agents name and nobody connects is one series, not one for each name.
      const model = models.has(request.model) ? request.model : "unknown";
      const answer = await timed(
        () => models.ask(request),
        (outcome, seconds) => calls.observe({ model, outcome }, seconds),
        (error) =>
          request.signal.aborted ? "stopped" : error instanceof ModelError ? error.failure : "error",
      );
      tokens.inc({ model, direction: "input" }, answer.usage.input_tokens ?? 0);
      tokens.inc({ model, direction: "output" }, answer.usage.output_tokens ?? 0);
      return answer;
    },
  };
}

/** Counts calls of tools by the MCP server that has them; a tool that says that it failed is `tool_error`. */
export function meteredMcp(mcp: Mcp, registry: Registry): Mcp {
  const calls = new Histogram({
    ...{ name: "wheelhouse_mcp_call_seconds", registers: [registry], labelNames: ["server", "outcome"] },
    ...{ help: "Calls of tools of MCP servers: `ok`, `tool_error`, or how they failed", buckets },
  });
  const known = new Set(mcp.servers.map(({ id }) => id));
  const counted = <T extends McpAnswer | object>(id: string, { signal }: McpCall, work: () => Promise<T>) => {
    const server = known.has(id) ? id : "unknown";
    return timed(
      work,
      (outcome, seconds) => calls.observe({ server, outcome }, seconds),
      (error) => (signal.aborted ? "stopped" : error instanceof McpError ? error.failure : "error"),
      (answer) => ("asks" in answer ? "asks" : "isError" in answer && answer.isError ? "tool_error" : "ok"),
    );
  };
  return {
    ...mcp,
    callTool: (id, owner, call, answered) => counted(id, call, () => mcp.callTool(id, owner, call, answered)),
  };
}

/** Counts what is written to and read from the folder of files. */
export function meteredFiles(files: FileStore, registry: Registry): FileStore {
  const registers = [registry];
  const operations = new Counter({
    ...{ name: "wheelhouse_file_operations_total", registers, labelNames: ["operation", "outcome"] },
    help: "Files written, read and removed; `failed` where the folder refused",
  });
  const written = new Counter({
    ...{ name: "wheelhouse_file_written_bytes_total", registers },
    help: "Bytes written to the folder of files",
  });
  const counted = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    timed(
      work,
      (outcome) => operations.inc({ operation, outcome }),
      () => "failed",
    );
  return {
    ...files,
    async write(id, content) {
      const bytes = await counted("write", () => files.write(id, content));
      written.inc(bytes);
      return bytes;
    },
    read: (id, range) => counted("read", () => files.read(id, range)),
    remove: (id) => counted("remove", () => files.remove(id)),
  };
}

/** Does it, and tells how that came out and how long it took in seconds. @throws what it throws */
async function timed<T>(
  work: () => Promise<T>,
  tell: (outcome: string, seconds: number) => void,
  failureOf: (error: unknown) => string,
  outcomeOf: (answer: T) => string = () => "ok",
): Promise<T> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  try {
    const answer = await work();
    tell(outcomeOf(answer), seconds());
    return answer;
  } catch (error) {
    tell(failureOf(error), seconds());
    throw error;
  }
}
