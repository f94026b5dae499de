import * as z from "zod/mini";
import { endpoint } from "./define.ts";

/** The model that our service always has: it obeys commands and understands no language. */
export const offlineModel = "builtin/offline";

/** A model that an agent can use. `value` is `<provider>/<model>`. */
export const modelOption = z.object({
  value: z.string(),
  label: z.string(),
  /** The caller may not choose it. */
  restricted: z.boolean(),
});
export type ModelOption = z.output<typeof modelOption>;

/** §4.15: the valid values of `model_name`, in groups for a menu. */
export const listModels = endpoint({
  name: "listModels",
  tier: "core",
  section: "§4.15",
  summary: "List models",
  method: "GET",
  path: "/models",
  kind: "read",
  response: z.object({
    model_groups: z.array(z.object({ label: z.string(), options: z.array(modelOption) })),
  }),
  conditional: true,
});
