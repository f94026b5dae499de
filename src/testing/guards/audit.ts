import type { Guard } from "./guard.ts";

/** What makes the audit log one that nobody can change unseen. */
export const auditGuards: readonly Guard[] = [
  {
    id: "audit-with-start",
    codes: ["S-120"],
    holds: "A start that is not recorded does not happen.",
    file: "src/service/areas/start-pipeline.ts",
    text: "await context.engine.launch(run, rows);",
    off: "await context.engine.launch(run); void rows;",
    tests: ["src/testing/security/audit-walk.test.ts"],
  },
  {
    id: "audit-chained",
    codes: ["S-121"],
    holds: "A seal holds the one before it.",
    file: "src/service/audit/chain.ts",
    text: 'mac(["entry", before.toString("hex"), position, at, entry])',
    off: 'mac(["entry", before.length, at, entry])',
    tests: ["src/service/audit/chain.test.ts"],
  },
  {
    id: "audit-head",
    codes: ["S-121"],
    holds: "Where the log ends is sealed.",
    file: "src/service/audit/chain.ts",
    text: 'key.sealHead(head).equals(row.seal) ? "holds" : "altered"',
    off: '"holds" as const',
    tests: ["src/service/audit/chain.test.ts"],
  },
  {
    id: "audit-anchor",
    codes: ["S-122"],
    holds: "What retention removes leaves an anchor.",
    file: "src/service/audit/seal.ts",
    text: "firstPosition: Number(last.position), firstSeal: last.seal",
    off: "",
    tests: ["src/service/audit/chain.test.ts"],
  },
  {
    id: "audit-bounded",
    codes: ["S-123"],
    holds: "Strangers of many networks share one entry.",
    file: "src/service/audit/record.ts",
    text: "case when is_full then '' else ${network} end",
    off: "${network}",
    tests: ["src/service/areas/audit.test.ts"],
  },
  {
    id: "audit-shows-little",
    codes: ["S-124"],
    holds: "Only listed fields have their values in an entry.",
    file: "src/service/audit/changes.ts",
    text: "return shown.includes(field)",
    off: "return shown !== undefined",
    tests: ["src/service/areas/audit.test.ts", "src/testing/security/secrets.test.ts"],
  },
];
