import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { Handlers } from "./handler.ts";

type Models = Pick<Handlers<typeof endpoints>, "listModels">;

/** §4.15: the models that are really connected, the built-in one always among them. */
const listModels: Models["listModels"] = async (context) => {
  const model_groups = context.models.groups().map(({ label, options }) => {
    return { label, options: options.map((option) => ({ ...option })) };
  });
  return { type: "body", body: { model_groups } };
};

/**
 * That a model which is named is connected.
 * @param param the field that names it
 * @throws ServiceError `invalid_body` naming the field
 */
export function checkModel(context: Context, name: string, param = "model_name"): void {
  if (context.models.has(name)) return;
  const message = `The model ${name} is not available. Choose another one; GET /models lists them.`;
  throw new ServiceError("invalid_body", { message, param });
}

export const modelHandlers: Models = { listModels };
