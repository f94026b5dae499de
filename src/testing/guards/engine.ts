import type { Guard } from "./guard.ts";

/** Who has an execution, and what ends it. */
export const engineGuards: readonly Guard[] = [
  {
    id: "steps-by-epoch",
    codes: ["S-03"],
    holds: "Whoever has lost an execution records none of its steps.",
    file: "src/service/engine/record-steps.ts",
    text: " and given.epoch = executions.epoch\n",
    off: "\n",
    tests: ["src/service/engine/record-steps.test.ts"],
  },
  {
    id: "ends-by-epoch",
    codes: ["S-03"],
    holds: "Whoever has lost an execution does not end it.",
    file: "src/service/engine/end-rows.ts",
    text: " and given.epoch = executions.epoch\n",
    off: "\n",
    tests: ["src/service/engine/step-batch.test.ts", "src/service/engine/faults.test.ts"],
  },
  {
    id: "ends-happen-once",
    codes: ["S-12"],
    holds: "What is over ends no second time.",
    file: "src/service/engine/end-rows.ts",
    text: "where executions.state = 'running' order by executions.id for no key update of executions",
    off: "order by executions.id for no key update of executions",
    tests: ["src/service/engine/kill.test.ts"],
  },
  {
    id: "kills-happen-once",
    codes: ["S-12"],
    holds: "A kill ends what is not over, and nothing else.",
    file: "src/service/engine/ending.ts",
    text: "where id in (${tree} select id from tree) and finished_at is null returning *",
    off: "where id in (${tree} select id from tree) returning *",
    tests: ["src/service/engine/kill.test.ts"],
  },
  {
    id: "kill-locks-the-tree",
    codes: ["S-12"],
    holds: "No sub-run is started behind the back of a kill.",
    file: "src/service/engine/ending.ts",
    text: "await lockTop(tx, found.root_id);",
    off: "",
    tests: ["src/service/engine/kill.test.ts"],
  },
  {
    id: "clock-turned-back",
    codes: ["S-09"],
    holds: "What is to come is turned back with the clock of the database.",
    file: "src/service/engine/sweep.ts",
    text: "await followTurnedBack(tx);",
    off: "",
    tests: ["src/service/engine/clock.test.ts"],
  },
];
