import { z } from "zod";
import { formatDuration } from "../../contract/duration.ts";
import { textLimits } from "../../contract/limits.ts";
import type { JsonObject } from "../json.ts";
import { readFlowAnswer } from "../questions/flow-question.ts";
import { askFields, namesWhomItAsks } from "./approval-fields.ts";
import { askedFields, formFields } from "./form.ts";
import { commonFields, defineNode, done, NodeError, textField } from "./node.ts";

/** What may come of a question. */
const outcomes = ["approved", "refused", "lapsed"] as const;

/** Characters of a question and of what is said beside it. */
const questionCharacters = 2_000;

/**
 * Asks people, and waits for their answer without holding a worker or a place. What depends on it runs only if it was approved,
 * where it does not name another outcome (`when: <node>.refused`) or says `join: any`.
 */
export const approval = defineNode({
  type: "approval",
  schema: z
    .strictObject({
      type: z.literal("approval"),
      ...commonFields,
      question: z.string().min(1).max(10_000),
      /** Shown below the question: what it takes to decide. */
      details: z.string().max(100_000).optional(),
      ...askFields,
      /** What is filled in with an approval. */
      form: formFields.default([]),
    })
    .refine(...namesWhomItAsks),
  outputs: ["value", "outcome", "answers", "reason", "answered_by", "answered_at"],
  literals: ["who", "people", "lapse_s"],
  branches: { field: "outcome", of: () => outcomes, implied: "approved" },
  waits: true,
  async run({ config, fields, steps, say, services }) {
    const asked = steps.get("ask");
    if (asked === undefined) {
      const question = textField(fields, "question").trim();
      if (question === "") throw new NodeError("the question is empty");
      const shown = [...question].slice(0, questionCharacters).join("");
      await steps.ask(
        "ask",
        {
          id: services.ids.make("ask"),
          question: shown,
          details: textField(fields, "details").slice(0, textLimits.description) || null,
          fields: askedFields(config.form, fields.form),
          who: config.who,
          people: config.people ?? [],
          lapseSeconds: config.lapse_s,
          call: null,
        },
        [`asks: ${shown}`],
      );
      return { type: "waiting" };
    }
    if (asked.state === "waiting") return { type: "waiting" };
    const answer = readFlowAnswer(asked.output);
    if (answer === null) {
      say(`nobody answered within ${formatDuration(config.lapse_s * 1_000)}`);
      await steps.lapse("ask");
      return ended({ outcome: "lapsed", answers: {}, reason: null, answered_by: null, answered_at: null });
    }
    const { outcome, values, reason, by, at } = answer;
    say(`${outcome} by ${by.name}${reason === null ? "" : `: ${reason}`}`);
    return ended({ outcome, answers: values, reason, answered_by: by, answered_at: at });
  },
});

/** All of it is the value too: what an `each` lists of each of its items. */
const ended = (output: JsonObject) => done({ value: output, ...output });
