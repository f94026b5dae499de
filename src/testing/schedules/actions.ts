import fc from "fast-check";
import type { Line, Script } from "../scripted-kind.ts";
import type { Tenant } from "./history.ts";
import { effects, type Level } from "./parts.ts";

/** What the model of a schedule does with a message: says so, calls a tool that runs, or one that people are asked about. */
export const plans = ["say", "run", "ask", "run and ask"] as const;
export type Plan = (typeof plans)[number];

/** What gives the place of what waits for people. */
export const givingPlace = "set has_place = false";

/** When a connection breaks that says this. */
export const breakingTexts = [
  "start_executions",
  "claim_ready",
  "claim_execution",
  "commit",
  "insert into steps",
  "set state = 'waiting'",
  "from json_to_recordset",
  "approvals",
  givingPlace,
] as const;

/** Whose work something is: a person's alone, or of one of two people of a team. */
export const tenants = [
  { userId: "user_ada", teamId: null },
  { userId: "user_ada", teamId: "team_both" },
  { userId: "user_bob", teamId: "team_both" },
] as const;

/** One of them, by any number. */
export const tenantAt = (who: number): Tenant => tenants[who % tenants.length] ?? tenants[0];

/** One thing that happens. Numbers choose among what is there at the time. */
export type Action =
  | {
      readonly do: "run";
      readonly at: number;
      readonly who: number;
      readonly script: Script;
      readonly by: "launch" | "start";
    }
  | { readonly do: "talk"; readonly at: number; readonly who: number; readonly plan: Plan }
  /** A flow that asks people, in a sub-flow too, and says this to the agent. */
  | {
      readonly do: "flow";
      readonly at: number;
      /** Its agent and its sub-flow are those of the first person alone. */
      readonly who: number;
      readonly plan: Plan;
      readonly by: "launch" | "start";
    }
  /** A flow whose runs are run again; one of its steps is answered with an error outside. */
  | {
      readonly do: "parts";
      readonly at: number;
      readonly who: number;
      readonly fails: (typeof effects.top)[number] | null;
      readonly by: "launch" | "start";
    }
  /** That flow is another one from now on. */
  | { readonly do: "change" }
  /**
   * A run of it that has ended, or the one below it, is run again by a person, who perhaps sends that twice, and perhaps waits until
   * all faults are over.
   */
  | {
      readonly do: "again";
      readonly at: number;
      readonly which: number;
      readonly by: number;
      readonly level: Level;
      readonly from: number;
      readonly flow: "as_run" | "current";
      readonly fails: (typeof effects.top)[number] | null;
      readonly twice: boolean;
      readonly waits: boolean;
    }
  /** So many go on with one conversation at the same moment, through different processes. */
  | {
      readonly do: "continue";
      readonly at: number;
      readonly which: number;
      readonly crowd: number;
      readonly plan: Plan;
    }
  /** The same start twice, with one key. */
  | { readonly do: "repeat"; readonly at: number; readonly plan: Plan }
  | {
      readonly do: "answer";
      readonly at: number;
      readonly which: number;
      readonly how: "approve" | "refuse" | "both" | "lapse";
    }
  | { readonly do: "kill"; readonly at: number; readonly which: number; readonly twice: boolean }
  /** All runs and flows of a person or a team that were ever started, at the same moment, through all processes. */
  | { readonly do: "kill many"; readonly at: number; readonly who: number }
  /** From now on that person, or that team, may have so many at the same time; null: as many as all may. */
  | { readonly do: "limit"; readonly who: number; readonly most: number | null }
  /** A process deletes all that has ended. */
  | { readonly do: "clear away"; readonly at: number }
  /** A process is gone at once. */
  | { readonly do: "die"; readonly at: number }
  /** A process is gone just before the database hears this. */
  | { readonly do: "die at"; readonly at: number; readonly text: string }
  /**
   * A person or a team may have one at a time, of which a flow that asks people is one: whoever is about to give its place dies
   * just before. A run of theirs wants it.
   */
  | { readonly do: "leave a place"; readonly at: number; readonly who: number }
  | { readonly do: "stop"; readonly at: number; readonly graceMs: number }
  | { readonly do: "start a process" }
  /** A process stands still in the middle of its effects for longer than its leases, and wakes up when others have what it had. */
  | { readonly do: "stand still"; readonly at: number; readonly ms: number }
  /** The connections of a process break, and it gets no other for a while. */
  | { readonly do: "cut"; readonly at: number }
  /** One connection breaks before the database has heard this, or when the answer is on its way. */
  | { readonly do: "break"; readonly at: number; readonly text: string; readonly when: "before" | "answered" }
  /** The database says nothing more to a process. */
  | { readonly do: "silence"; readonly at: number }
  | { readonly do: "mend" }
  /** The database throws everybody out, as in a restart. */
  | { readonly do: "throw out" }
  /** The database is another server from now on, which takes nothing, or does again. */
  | { readonly do: "fail over"; readonly isReadOnly: boolean }
  | { readonly do: "disk"; readonly isFull: boolean }
  /** The clock of all processes, and that of the database. */
  | { readonly do: "jump"; readonly whose: "machine" | "database"; readonly ms: number }
  /** The clock of the database stands still at the moment when something is due, or a microsecond beside it. */
  | {
      readonly do: "come due";
      readonly which: number;
      readonly microseconds: -1 | 0 | 1;
      readonly ms: number;
    }
  | { readonly do: "pass"; readonly ms: number }
  /**
   * All that was asked of the service is answered, and so many questions wait for people. For schedules that are written by hand,
   * in which that comes.
   */
  | { readonly do: "wait for questions"; readonly count: number };

/** Those of one sort. */
export type Of<D extends Action["do"]> = Extract<Action, { readonly do: D }>;

export type Schedule = readonly Action[];

const at = fc.nat(20);
const who = fc.nat(tenants.length - 1);
const plan = fc.constantFrom(...plans);
const fails = fc.constantFrom(null, null, ...effects.top);
const simple: fc.Arbitrary<Line> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: "effect" } as const) },
  { weight: 3, arbitrary: fc.constant({ do: "think" } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(15) }) },
  { weight: 1, arbitrary: fc.constant({ do: "fail" } as const) },
);
const children: fc.Arbitrary<Line> = fc.record({
  do: fc.constant("children" as const),
  scripts: fc.array(fc.array(simple, { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
});
const script: fc.Arbitrary<Script> = fc.array(
  fc.oneof({ weight: 9, arbitrary: simple }, { weight: 2, arbitrary: children }),
  { minLength: 1, maxLength: 5, size: "max" },
);
const second = 1_000;
const day = 24 * 60 * 60 * second;
const bothWays = (lengths: readonly number[]) => lengths.flatMap((ms) => [ms, -ms]);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant("run" as const),
      at,
      who,
      script,
      by: fc.constantFrom("launch", "start"),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("talk" as const), at, who, plan }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("flow" as const),
      at,
      who: fc.nat(1),
      plan,
      by: fc.constantFrom("launch", "start"),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant("parts" as const),
      at,
      who,
      fails,
      by: fc.constantFrom("launch", "start"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "change" } as const) },
  {
    weight: 9,
    arbitrary: fc.record({
      ...{ do: fc.constant("again" as const), at, which: at, by: fc.nat(1), from: at, fails },
      level: fc.constantFrom("top", "top", "below"),
      flow: fc.constantFrom("as_run", "current"),
      twice: fc.boolean(),
      waits: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("continue" as const),
      at,
      which: at,
      crowd: fc.integer({ min: 1, max: 4 }),
      plan,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("repeat" as const), at, plan }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      at,
      which: at,
      how: fc.constantFrom("approve", "approve", "refuse", "both", "lapse"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("kill" as const), at, which: at, twice: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("kill many" as const), at, who }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("limit" as const), who, most: fc.constantFrom(1, 1, 2, null) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("clear away" as const), at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("die" as const), at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("die at" as const),
      at,
      text: fc.constantFrom(...breakingTexts),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("leave a place" as const), at, who: fc.nat(1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("stop" as const), at, graceMs: fc.constantFrom(0, 20) }),
  },
  { weight: 3, arbitrary: fc.constant({ do: "start a process" } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("stand still" as const),
      at,
      ms: fc.integer({ min: 5, max: 40 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cut" as const), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("break" as const),
      at,
      text: fc.constantFrom(...breakingTexts),
      when: fc.constantFrom("before", "answered"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("silence" as const), at }) },
  { weight: 4, arbitrary: fc.constant({ do: "mend" } as const) },
  { weight: 1, arbitrary: fc.constant({ do: "throw out" } as const) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("fail over" as const), isReadOnly: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("disk" as const), isFull: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({
        do: fc.constant("jump" as const),
        whose: fc.constant("machine" as const),
        ms: fc.constantFrom(...bothWays([second, 60 * 60 * second, day])),
      }),
      fc.record({
        do: fc.constant("jump" as const),
        whose: fc.constant("database" as const),
        ms: fc.constantFrom(...bothWays([11 * second, 60 * 60 * second, day])),
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("come due" as const),
      which: at,
      microseconds: fc.constantFrom(-1, 0, 1),
      ms: fc.nat(40),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.nat(30) }) },
);

/** Schedules of every kind; the same for the same seed. */
export const schedules: fc.Arbitrary<Schedule> = fc.noBias(
  fc.array(action, { minLength: 8, maxLength: 30, size: "max" }),
);
