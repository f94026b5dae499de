import { z } from "zod";
import { lapseLimits } from "../../contract/agent-settings.ts";
import { textLimits } from "../../contract/limits.ts";

/** What nodes say that ask people: who answers, and for how long. */
export const askFields = {
  /** `person`: who started the run; `operators` of its team; `people` by their ids. */
  who: z.enum(["person", "operators", "people"]).default("person"),
  people: z.array(z.string().min(1).max(100)).min(1).max(textLimits.approvers).optional(),
  /** Seconds until nobody can answer any more; a week where it is missing. */
  lapse_s: z.int().min(lapseLimits.minimum).max(lapseLimits.maximum).default(lapseLimits.default),
};

/** For `refine`: ids belong to the rule that needs them. */
export const namesWhomItAsks = [
  ({ who, people }: { readonly who: string; readonly people?: readonly string[] | undefined }) =>
    (who === "people") === (people !== undefined),
  { path: ["people"], error: "belongs to who: people, which needs it" },
] as const satisfies readonly [unknown, { path: string[]; error: string }];
