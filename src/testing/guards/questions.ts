import type { Guard } from "./guard.ts";

const flow = "src/service/questions/flow-questions.test.ts";
const calls = "src/service/agents/approvals/approvals.test.ts";

/** What people are asked, who answers, and what comes of it. */
export const questionGuards: readonly Guard[] = [
  {
    id: "asked-people-answer",
    codes: ["S-111"],
    holds: "A question is answered by those whom its rule names.",
    file: "src/service/areas/answer-item.ts",
    text: 'if (!row.may_answer) throw new ServiceError("forbidden", { message: "Others have to answer this." });',
    off: "",
    tests: ["src/service/agents/approvals/who-answers.test.ts"],
  },
  {
    id: "answers-fit-their-form",
    codes: ["S-113"],
    holds: "What is filled in fits the form, or is refused by its field.",
    file: "src/service/areas/answer-item.ts",
    text: "if (!checked.ok) throw invalid(`values.${checked.name}`, checked.problem);",
    off: "if (!checked.ok) return {};",
    tests: [flow],
  },
  {
    id: "edited-arguments-fit-their-tool",
    codes: ["S-66"],
    holds: "Arguments that a person wrote fit the tool's schema.",
    file: "src/service/areas/answer-item.ts",
    text: 'throw invalid(checked.path === "" ? "arguments_text" : `arguments_text.${checked.path}`, checked.problem);',
    off: "return text;",
    tests: [calls],
  },
  {
    id: "lapsed-is-over",
    codes: ["S-66", "S-111"],
    holds: "What has lapsed by the clock of the database is answered by nobody.",
    file: "src/service/questions/answer.ts",
    text: " and lapses_at > clock_timestamp() and ${stepWaits} returning *\n      ), touched",
    off: " and ${stepWaits} returning *\n      ), touched",
    tests: [calls, flow],
  },
  {
    id: "first-answer-counts",
    codes: ["S-112"],
    holds: "Of any number of answers one is written.",
    file: "src/service/questions/answer.ts",
    text: "if (row === undefined) return false;\n    await endStep(tx, row, outputOf(row));",
    off: "if (row !== undefined) await endStep(tx, row, outputOf(row));",
    tests: [flow, calls],
  },
  {
    id: "refused-is-not-done",
    codes: ["S-111"],
    holds: "What depends on an approval runs only if it was given.",
    file: "src/service/nodes/approval.ts",
    text: ', implied: "approved" }',
    off: " }",
    tests: [flow],
  },
  {
    id: "only-waiting-trees-give-places",
    codes: ["S-224"],
    holds: "The place of a run is given to others only while all of its tree waits for people.",
    file: "src/service/engine/claim.ts",
    text: "and not (below.state = 'waiting' and below.waits_for_people))",
    off: "and false)",
    tests: ["src/service/questions/tree-waits.test.ts"],
  },
  {
    id: "copies-have-their-own-files",
    codes: ["S-220"],
    holds: "What a copied conversation shows of its files are its own.",
    file: "src/service/agents/copy-conversation.ts",
    text: "case when given.artifact_id is null then old.part",
    off: "case when true then old.part",
    tests: ["src/service/areas/copy-conversation.test.ts"],
  },
  {
    id: "copies-stop-before-the-message",
    codes: ["S-220"],
    holds: "A copy holds what was said before the message, and nothing after it.",
    file: "src/service/agents/copy-conversation.ts",
    text: "where interaction_id = ${from.id} and message_seq < ${from.seq}`",
    off: "where interaction_id = ${from.id} and message_seq <= ${from.seq} - 2`",
    tests: ["src/service/areas/copy-conversation.test.ts"],
  },
];
