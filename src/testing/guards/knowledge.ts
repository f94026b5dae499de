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
];
