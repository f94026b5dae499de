import type { Guard } from "./guard.ts";

const turns = "src/service/agents/context-window.test.ts";

/** What keeps requests such as models take. */
export const modelGuards: readonly Guard[] = [
  {
    id: "answers-have-room",
    codes: ["S-330"],
    holds: "No request asks for more tokens than its model has left beside it.",
    file: "src/service/models/limits.ts",
    text: "Math.min(maxTokens, output ?? maxTokens, left)",
    off: "Math.min(maxTokens, output ?? maxTokens, left + maxTokens)",
    tests: [turns],
    named: "S-330",
  },
  {
    id: "requests-are-counted",
    codes: ["S-330"],
    holds: "What is left is what the request itself leaves.",
    file: "src/service/agents/context-window.ts",
    text: "outputTokens(limits, maxTokens, base + size)",
    off: "outputTokens(limits, maxTokens, base)",
    tests: [turns],
    named: "S-330",
  },
  {
    id: "halves-are-replaced",
    codes: ["S-331"],
    holds: "No request has half of a surrogate pair.",
    file: "src/service/models/providers.ts",
    text: "if (sound === text) return value;",
    off: "if (sound !== undefined) return value;",
    tests: ["src/service/models/models.test.ts"],
    named: "S-331",
  },
  {
    id: "schemas-have-an-end",
    codes: ["S-336"],
    holds: "Of a schema that names its parts again and again no more is told than a model can take.",
    file: "src/service/models/plain-schemas.ts",
    text: "const mostSchemas = 2_000;",
    off: "const mostSchemas = 200_000;",
    tests: ["src/service/models/tool-schemas.test.ts"],
    named: "S-336",
  },
  {
    id: "model-line-has-an-end",
    codes: ["S-382"],
    holds: "What a model's server sends in one piece is not held for as long as it comes.",
    file: "src/service/models/hearing.ts",
    text: "if (held > mostHeld) {",
    off: "if (held < 0) {",
    tests: ["src/service/models/answer-end.test.ts"],
    named: "S-382",
  },
  {
    id: "commands-in-line",
    codes: ["S-399"],
    holds: "A command of the built-in model is read in time that grows with it, whatever its JSON holds.",
    file: "src/service/models/offline.ts",
    text: "(?:\\s+(.*))?$/s;",
    off: "(?:\\s+(.*))?$/;",
    tests: ["src/service/models/models.test.ts"],
    named: "S-399",
  },
];
