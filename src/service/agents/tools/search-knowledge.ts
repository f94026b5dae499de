import { z } from "zod";
import { emptyQueryMessage, type FindKnowledge } from "../../nodes/services.ts";
import { readArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";

const maxPassages = 20;
const argumentsOf = z.object({
  query: z.string().min(1),
  limit: z.int().min(1).max(maxPassages).nullish(),
});

/**
 * Searches the knowledge sources that whoever the turn acts for may read.
 * @param only the sources that the agent may search; null: all of those
 */
export function searchKnowledgeTool(find: FindKnowledge, only: readonly string[] | null): Tool {
  return {
    isRepeatable: true,
    spec: {
      name: "search_knowledge",
      description:
        "Searches the documents of the knowledge sources. Answers passages, best first, each with its source, file, page and a link: name them in the answer.",
      parameters: {
        type: "object",
        properties: {
          query: {
            type: "string",
            description: 'Words to look for; "quoted words" stand together, -word is left out',
          },
          limit: { type: "integer", description: `Passages at most: 1 to ${maxPassages}, 5 by default` },
        },
        required: ["query"],
      },
    },
    async run({ args, facts }) {
      const read = readArguments(argumentsOf, args);
      if (!read.ok) return read.outcome;
      const { query, limit } = read.value;
      const passages = await find(query, { limit: limit ?? 5, sourceIds: only }, facts);
      if (passages === null) return { type: "failed", error: emptyQueryMessage };
      const result = { passages: passages.map((passage) => ({ ...passage })) };
      return { type: "done", result };
    },
  };
}
