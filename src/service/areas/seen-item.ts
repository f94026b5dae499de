import type { Context } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller } from "./handler.ts";
import { type SeenQuestion, seenQuestions } from "./inbox-rows.ts";

/**
 * The question that a path names.
 * @throws ServiceError `not_found` also where the caller may not see it
 */
export async function seenItem(context: Context, caller: Caller, id: string): Promise<SeenQuestion> {
  const [row] = await seenQuestions(context, caller, [id]);
  if (row === undefined)
    throw new ServiceError("not_found", { message: "There is no such question.", param: "item_id" });
  return row;
}
