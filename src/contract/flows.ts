import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { text, timestamp } from "./wire.ts";

/** A saved item: a flow that can be started. */
export const savedItem = z.object({
  saved_item_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  created_ts: timestamp,
});
export type SavedItem = z.output<typeof savedItem>;

/** Whose flows: of a person, or of a team. */
export const owner = { user_id: z.optional(text), project_id: z.optional(text) };

/** Public: the flows that the caller may start. Whole, without pages. */
export const listSavedItems = endpoint({
  name: "listSavedItems",
  tier: "public",
  capability: "saved_items",
  section: "History, teams, sessions",
  summary: "List saved items",
  method: "GET",
  path: "/list_saved_items",
  kind: "read",
  query: z.object(owner),
  response: z.object({ saved_items: z.array(savedItem) }),
  conditional: true,
});
