import type { Guard } from "./guard.ts";

const templates = "src/service/pipelines/template.test.ts";

/** What keeps templates from holding up or filling the process. */
export const templateGuards: readonly Guard[] = [
  {
    id: "templates-in-slices",
    codes: ["S-267"],
    holds: "Between two slices of a template all else has its turn.",
    file: "src/service/in-slices.ts",
    text: "await nextTurn();",
    off: "",
    tests: ["src/service/in-slices.test.ts"],
    named: "S-267",
  },
  {
    id: "templates-have-an-end",
    codes: ["S-267"],
    holds: "A template ends after so much time of its own.",
    file: "src/service/in-slices.ts",
    text: "if (left <= 0) throw new SlicesError();",
    off: "",
    tests: ["src/service/in-slices.test.ts"],
    named: "S-267",
  },
  {
    id: "filters-in-one-go",
    codes: ["S-267"],
    holds: "A filter that works in one go takes so much and no more.",
    file: "src/service/pipelines/template-engine.ts",
    text: "checkFilterInput(name, value);",
    off: "",
    tests: [templates],
    named: "S-267",
  },
  {
    id: "ranges-at-once",
    codes: ["S-267"],
    holds: "A range has so many items and no more.",
    file: "src/service/pipelines/template-engine.ts",
    text: 'if (count > limits.atOnce) throw new Error(said(limits.atOnce, "at once"));',
    off: "",
    tests: [templates],
    named: "S-267",
  },
  {
    id: "texts-of-templates",
    codes: ["S-267"],
    holds: "The text that comes out of a template has an end.",
    file: "src/service/pipelines/template-engine.ts",
    text: "if (this.buffer.length > limits.text)",
    off: "if (this.buffer.length > limits.text * 99)",
    tests: [templates],
    named: "S-267",
  },
  {
    id: "values-of-templates",
    codes: ["S-267"],
    holds: "So has the list that comes out.",
    file: "src/service/pipelines/template.ts",
    text: "if (isMoreThan(found, limits.values)) {",
    off: "if (isMoreThan(found, limits.values * 99)) {",
    tests: [templates],
    named: "S-267",
  },
];
