import { z } from "zod";
import { toJsonValue } from "../json.ts";
import { commonFields, defineNode, done, NodeError, numberField, textField } from "./node.ts";
import { emptyQueryMessage } from "./services.ts";

/** Searches the knowledge sources that whoever the run acts for may read. */
export const knowledgeSearch = defineNode({
  type: "knowledge_search",
  schema: z.strictObject({
    type: z.literal("knowledge_search"),
    ...commonFields,
    /** Words; "quoted words" stand together, -word is left out. */
    query: z.string().min(1).max(2_000),
    /** Passages at most: 1 to 50; 5 where it is missing. */
    limit: z.union([z.int().min(1).max(50), z.string()]).optional(),
    /** Ids of knowledge sources; all that the run may read where it is missing. */
    sources: z.array(z.string().min(1).max(100)).max(100).optional(),
  }),
  outputs: ["value", "count"],
  staysInside: true,
  literals: ["sources"],
  async run({ config, fields, facts, services }) {
    const query = textField(fields, "query").trim();
    if (query === "") throw new NodeError("query is empty");
    const limit = config.limit === undefined ? 5 : numberField(fields, "limit", 1, 50);
    const options = { limit: Math.floor(limit), sourceIds: config.sources ?? null };
    const passages = await services.findKnowledge(query, options, facts);
    if (passages === null) throw new NodeError(emptyQueryMessage);
    return done({ value: toJsonValue(passages), count: passages.length });
  },
});
