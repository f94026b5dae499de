import type { endpoints } from "../../contract/endpoints.ts";
import type { Handlers } from "./handler.ts";

type Models = Pick<Handlers<typeof endpoints>, "listModels">;

/** §4.15: the models that are really connected, the built-in one always among them. */
const listModels: Models["listModels"] = async (context) => {
  const model_groups = context.models.groups().map(({ label, options }) => {
    return { label, options: options.map((option) => ({ ...option })) };
  });
  return { type: "body", body: { model_groups } };
};

export const models: Models = { listModels };
