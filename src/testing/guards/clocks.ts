import type { Guard } from "./guard.ts";

const late = "src/service/http/late-clocks.test.ts";

/** What dates and ends links and tokens by one clock, and tells clocks that differ from an end. */
export const clockGuards: readonly Guard[] = [
  {
    id: "clock-by-each-request",
    codes: ["S-291"],
    holds: "Each request tells its process what time it is, before anything is signed.",
    file: "src/service/store/generation.ts",
    text: "see(moment.now, askedAt);",
    off: "void [see, askedAt];",
    tests: [late],
    named: "good for as long as any",
  },
  {
    id: "clock-by-new-key",
    codes: ["S-291"],
    holds: "So does one with a key that the process has not seen before.",
    file: "src/service/credentials/authenticate.ts",
    text: "if (row) see(row.now, askedAt);",
    off: "void [see, askedAt];",
    tests: [late],
    named: "for the first time",
  },
  {
    id: "clock-before-shared-link",
    codes: ["S-291"],
    holds: "Where nobody asked who somebody is, the database is asked what time it is.",
    file: "src/service/areas/shared.ts",
    text: "await context.clock.look();",
    off: "",
    tests: [late],
    named: "without an account",
  },
  {
    id: "clock-before-refusal",
    codes: ["S-291"],
    holds: "No link is refused for its time by a clock that may be late.",
    file: "src/service/areas/artifact-file.ts",
    text: "await clock.look();",
    off: "",
    tests: [late],
    named: "signed meanwhile",
  },
  {
    id: "link-of-the-future",
    codes: ["S-292"],
    holds: "A link that is dated in the future is none, and not one that has ended.",
    file: "src/service/files/signed-link.ts",
    text: 'if (aheadMs > toleranceMs) return { type: "early", aheadMs };',
    off: "void [aheadMs, toleranceMs];",
    tests: ["src/service/http/signed-files.test.ts"],
    named: "S-292",
  },
];
