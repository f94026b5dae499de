import type { Guard } from "./guard.ts";

/** What becomes of the documents of the knowledge. */
export const knowledgeGuards: readonly Guard[] = [
  {
    id: "blanks-cost-nothing",
    codes: ["S-371"],
    holds: "Hundreds of blanks in a row are paid for as one, and are no passages.",
    file: "src/service/knowledge/normal-text.ts",
    text: '      .replaceAll(/(?<!\\s)\\s{200}\\s*/g, (blanks) => (blanks.includes("\\n") ? "\\n\\n" : " "))\n',
    off: "",
    tests: ["src/service/knowledge/passages.test.ts", "src/service/knowledge/blanks.test.ts"],
    named: "S-371",
  },
  {
    id: "nothing-shown-is-no-passage",
    codes: ["S-383"],
    holds: "What shows nothing, blanks behind a sentence or soft hyphens alone, is no passage.",
    file: "src/service/knowledge/passages.ts",
    text: 'spans.filter((span) => shownText(text.slice(span.start, span.end)).trim() !== "")',
    off: "spans",
    tests: ["src/service/knowledge/passages.test.ts"],
    named: "S-383",
  },
];
