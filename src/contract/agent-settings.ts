import * as z from "zod/mini";
import { boundedText, list, textLimits } from "./limits.ts";
import { jsonObject } from "./wire.ts";

/** The least and the greatest that a number of an agent's preferences may be. Seconds, and tokens of one answer of the model. */
export const preferenceLimits = {
  max_steps: { minimum: 1, maximum: 1000 },
  timeout_s: { minimum: 1, maximum: 86_400 },
  temperature: { minimum: 0, maximum: 2 },
  max_tokens: { minimum: 1, maximum: 1_000_000 },
} as const;

const within = ({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) =>
  [z.minimum(minimum), z.maximum(maximum)] as const;

const preferences = z.nullish(
  z.object({
    max_steps: z.nullish(z.int().check(...within(preferenceLimits.max_steps))),
    timeout_s: z.nullish(z.int().check(...within(preferenceLimits.timeout_s))),
    temperature: z.nullish(z.number().check(...within(preferenceLimits.temperature))),
    max_tokens: z.nullish(z.int().check(...within(preferenceLimits.max_tokens))),
  }),
);

/** How a call of a tool is made: at once, when a person has agreed, or not at all. */
export const callModes = ["run", "ask", "never"] as const;
export type CallMode = (typeof callModes)[number];

/** Seconds until a question lapses: a minute to thirty days; without a setting it is a week. */
export const lapseLimits = { minimum: 60, maximum: 2_592_000, default: 604_800 } as const;

const callMode = z.nullish(z.enum(callModes));

/**
 * `metadata.approvals`: how the agent's tools are called, who is asked and for how long. `tools` by `tool_call_id`; what is
 * not there goes by `approval_mode` of its server (`all` is `ask`), else runs. Null takes a line out. A team's floor
 * counts whatever stands here (`getAgentApprovals`).
 */
const approvals = z.nullish(
  z.object({
    tools: z.nullish(z.record(z.string(), callMode)),
    who: z.nullish(z.enum(["person", "operators", "people"])),
    /** Ids of people, for `people`. */
    people: z.nullish(list(z.string(), textLimits.approvers)),
    lapse_s: z.nullish(z.int().check(...within(lapseLimits))),
  }),
);

/**
 * The sections of an agent's `metadata` that our service knows, as they are kept; parsing drops unknown keys (§4.14). On
 * the wire `metadata` is any object. What was kept before there were limits is read whatever its length.
 */
export const agentSettings = z.object({
  preferences,
  approvals,
  personalization: z.nullish(z.object({ instructions: z.nullish(z.string()) })),
  chat: z.nullish(z.object({ starter_prompts: z.nullish(z.array(z.string())) })),
  appearance: z.nullish(z.object({ icon: z.nullish(z.string()), color: z.nullish(z.string()) })),
  evaluation: z.nullish(jsonObject),
});

/** The texts of the sections within their limits, as a request or a file may bring them. */
export const settingsTexts = {
  instructions: boundedText(textLimits.instructions),
  starter_prompts: list(boundedText(textLimits.starterPrompt), textLimits.starterPrompts),
  icon: boundedText(textLimits.name),
  color: boundedText(textLimits.name),
} as const;

/** The same sections in a request. */
export const agentSettingsChange = z.object({
  preferences,
  approvals,
  personalization: z.nullish(z.object({ instructions: z.nullish(settingsTexts.instructions) })),
  chat: z.nullish(z.object({ starter_prompts: z.nullish(settingsTexts.starter_prompts) })),
  appearance: z.nullish(
    z.object({ icon: z.nullish(settingsTexts.icon), color: z.nullish(settingsTexts.color) }),
  ),
  evaluation: z.nullish(jsonObject),
});
