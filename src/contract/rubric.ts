import * as z from "zod/mini";
import { boundedText, list, maybeName, name, textLimits } from "./limits.ts";
import { openEnum } from "./open-enum.ts";

/** How many of each a rubric may have. */
export const rubricLimits = { criteria: 30, tags: 50, data_points: 40 } as const;

/** What kind of thing a criterion looks at. */
export const criterionType = openEnum(["prohibited_action", "prohibited_words", "voice_tone", "other"]);

/** The grade of a session that fails the criterion. */
export const criterionPriority = openEnum(["needs_review", "needs_attention"]);

/** The type of a data point's value. */
export const dataType = openEnum(["string", "boolean", "integer", "number"]);

/** When evaluations run. */
export const frequency = openEnum(["debounced", "per_turn", "manual"]);

/** Something that a session must meet. */
export const criterion = z.object({
  id: z.string(),
  name: z.string(),
  prompt: z.string(),
  type: criterionType,
  priority: criterionPriority,
});
export type Criterion = z.output<typeof criterion>;

/** A mark that a session may get; upper case with underscores. */
export const tag = z.object({ name: z.string(), description: z.string() });
export type Tag = z.output<typeof tag>;

/** A value to read out of a session. */
export const dataPoint = z.object({
  id: z.string(),
  name: z.string(),
  data_type: dataType,
  description: z.string(),
});
export type DataPoint = z.output<typeof dataPoint>;

/** Whether the user's mood is read, and whether it counts in the grade. */
export const sentiment = z.object({
  enabled: z.boolean(),
  affects_grade: z.boolean(),
  description: z.string(),
});
export type Sentiment = z.output<typeof sentiment>;

/** The parts that an agent's configuration and a saved rubric share. */
export const rubricFields = {
  model_name: z.nullable(z.string()),
  frequency: z.nullable(frequency),
  /** `auto` or a language. */
  language: z.nullable(openEnum(["auto"])),
  include_auto_tags: z.boolean(),
  /** Session types; empty means all. */
  interaction_types: z.array(openEnum(["api", "console"])),
  criteria: z.array(criterion),
  tags: z.array(tag),
  data_points: z.array(dataPoint),
  sentiment: z.nullable(sentiment),
};

const note = boundedText(textLimits.note);

/** The same in a request: everything optional, ids are made where they are missing, a given list replaces the whole list. */
export const rubricChange = {
  /** Empty: the service chooses. */
  model_name: z.nullish(boundedText(textLimits.name)),
  frequency: z.nullish(z.enum(["debounced", "per_turn", "manual"])),
  language: maybeName,
  include_auto_tags: z.nullish(z.boolean()),
  interaction_types: z.nullish(list(name, 20)),
  criteria: z.nullish(
    list(
      z.object({
        id: maybeName,
        name,
        prompt: note.check(z.minLength(1, "must not be empty")),
        type: z.nullish(z.enum(["prohibited_action", "prohibited_words", "voice_tone", "other"])),
        priority: z.nullish(z.enum(["needs_review", "needs_attention"])),
      }),
      rubricLimits.criteria,
    ),
  ),
  tags: z.nullish(
    list(
      z.object({
        name: z
          .string()
          .check(z.regex(/^[A-Z0-9][A-Z0-9_]*$/, "must be upper case with underscores"), z.maxLength(100)),
        description: z.nullish(note),
      }),
      rubricLimits.tags,
    ),
  ),
  data_points: z.nullish(
    list(
      z.object({
        id: maybeName,
        name,
        data_type: z.enum(["string", "boolean", "integer", "number"]),
        description: z.nullish(note),
      }),
      rubricLimits.data_points,
    ),
  ),
  sentiment: z.nullish(
    z.object({
      enabled: z.nullish(z.boolean()),
      affects_grade: z.nullish(z.boolean()),
      description: z.nullish(note),
    }),
  ),
};
