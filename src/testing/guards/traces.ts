import type { Guard } from "./guard.ts";

/** What keeps traces whole, and what is in them. */
export const traceGuards: readonly Guard[] = [
  {
    id: "traces-kept-until-taken",
    codes: ["S-225"],
    holds: "A trace is forgotten once the collector took it, and not before.",
    file: "src/service/traces/exporter.ts",
    text: "if (!(await send(spans.slice(from, from + mostSpans), signal))) return false;",
    off: "await send(spans.slice(from, from + mostSpans), signal);",
    tests: ["src/service/traces/exporter.test.ts"],
  },
  {
    id: "traces-claimed",
    codes: ["S-227"],
    holds: "What one process exports no other does at the same time.",
    file: "src/service/traces/claims.ts",
    text: "(coalesce(claimed_until, '-infinity') < clock_timestamp()",
    off: "(true",
    tests: ["src/service/traces/exporter.test.ts"],
  },
  {
    id: "traces-refused-once",
    codes: ["S-226"],
    holds: "What the collector refuses for ever is not sent again.",
    file: "src/service/traces/send.ts",
    text: "if (passing.has(status)) {",
    off: "if (status >= 300) {",
    tests: ["src/service/traces/exporter.test.ts"],
  },
  {
    id: "traces-without-contents",
    codes: ["S-229"],
    holds: "Texts of models, arguments and results are in a trace only where they are asked for.",
    file: "src/service/traces/execution-spans.ts",
    text: "steps: await readSteps(db, id, withContents),\n      ...{ model, takeovers, withContents },",
    off: "steps: await readSteps(db, id, true),\n      ...{ model, takeovers, withContents: true },",
    tests: ["src/service/traces/traces.test.ts"],
  },
  {
    id: "traces-strict-parents",
    codes: ["S-230"],
    holds: "A traceparent that is not as W3C has it counts as not said.",
    file: "src/service/traceparent.ts",
    text: "if (zeros.test(traceId) || zeros.test(spanId)) return null;",
    off: "",
    tests: ["src/service/traceparent.test.ts"],
  },
];
