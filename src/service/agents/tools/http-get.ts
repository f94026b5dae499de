import { z } from "zod";
import { anySignal } from "../../any-signal.ts";
import { shareOf } from "../../limiter.ts";
import { type Outgoing, OutgoingError } from "../../outgoing/outgoing.ts";
import { startTimeLimit } from "../../time-limit.ts";
import { readArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";

const argumentsOf = z.object({ url: z.string() });
const timeoutMs = 30_000;

/** Reads a public web address through the guarded way out of the service. */
export function httpGetTool(outgoing: Outgoing): Tool {
  return {
    spec: {
      name: "http_get",
      description: "Reads a public web address and answers its status and text.",
      parameters: {
        type: "object",
        properties: { url: { type: "string", description: "An http or https address" } },
        required: ["url"],
      },
    },
    async run({ args, facts, signal, trace }) {
      const read = readArguments(argumentsOf, args);
      if (!read.ok) return read.outcome;
      const limit = startTimeLimit(timeoutMs);
      try {
        const answer = await outgoing.request({
          url: read.value.url,
          method: "GET",
          headers: { ...trace, accept: "text/html, text/plain, application/json;q=0.9, */*;q=0.5" },
          body: null,
          signal: anySignal([signal, limit.signal]),
          requester: {
            share: shareOf(facts, facts.executionId),
            onWait: limit.pause,
            onStart: limit.resume,
          },
        });
        const type = answer.headers["content-type"] ?? null;
        return { type: "done", result: { status: answer.status, content_type: type, text: answer.text } };
      } catch (error) {
        signal.throwIfAborted();
        if (limit.signal.aborted)
          return { type: "failed", error: "The address did not respond within 30 seconds." };
        if (error instanceof OutgoingError) return { type: "failed", error: error.message };
        throw error;
      } finally {
        limit.end();
      }
    },
  };
}
