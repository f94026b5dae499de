import type { Guard } from "./guard.ts";

/** Whose turn it is. */
export const fairnessGuards: readonly Guard[] = [
  {
    id: "threads-keep-some-spare",
    codes: ["S-70"],
    holds: "Code of another tenant has a thread although one holds all.",
    file: "src/service/limiter.ts",
    text: "(running === 0 ? spare : 0)",
    off: "0",
    tests: ["src/service/nodes/code-runner.test.ts", "src/service/limiter.test.ts"],
  },
  {
    id: "places-go-round",
    codes: ["S-70"],
    holds: "A free place goes to whoever holds the fewest.",
    file: "src/service/limiter.ts",
    text: "return a.running - b.running || a.served - b.served;",
    off: "return 0;",
    tests: ["src/service/limiter.test.ts"],
  },
  {
    id: "tenants-hold-no-more",
    codes: ["S-70"],
    holds: "A tenant holds no more places than it may.",
    file: "src/service/limiter.ts",
    text: "running < eachTenant &&",
    off: "",
    tests: ["src/service/limiter.test.ts"],
  },
  {
    id: "requests-wait-in-turn",
    codes: ["S-247", "S-248"],
    holds: "Requests to one host wait for a place, in turn.",
    file: "src/service/outgoing/places.ts",
    text: "return await entry.limiter.run(requester, work);",
    off: "return await work();",
    tests: ["src/service/outgoing/places.test.ts", "src/service/models/places.test.ts"],
  },
  {
    id: "quiet-hosts-are-forgotten",
    codes: ["S-248"],
    holds: "A host to which nothing is under way is not kept in memory.",
    file: "src/service/outgoing/places.ts",
    text: "if (entry.users === 0) known.delete(where);",
    off: "",
    tests: ["src/service/outgoing/places.test.ts"],
  },
];
