import type { Execution, Journal, Kind, Outcome } from "../service/engine/kind.ts";

/** What an execution of the scripted kind does, one after the other. Each step's key is its place in the script. */
export type Script = readonly Line[];
export type Line =
  /** Has an effect outside, then records it with a log line. */
  | { readonly do: "effect" }
  /** Has no effect, and is recorded with a log line as a step that may be repeated. */
  | { readonly do: "think" }
  | { readonly do: "wait"; readonly ms: number }
  /** Starts all of them, waits for all; fails as the first that failed. */
  | { readonly do: "children"; readonly scripts: readonly Script[] }
  | { readonly do: "fail" };

/** Called before and after each effect; may hang or throw to stand for a process that dies there. */
export interface Probe {
  before?(id: string, key: string): Promise<void> | void;
  after?(id: string, key: string): Promise<void> | void;
}

/**
 * A kind that follows the script in its input: `{ script }`. Ends with the number of steps that it has recorded.
 * @param isSpeculative whether it may begin before its start is written: it writes before each effect then
 */
export function scriptedKind(probe: Probe = {}, isSpeculative = false): Kind {
  return {
    hasPlace: true,
    isSpeculative,
    advance: (execution, journal) => follow(execution, journal, probe, isSpeculative),
  };
}

async function follow(
  execution: Execution,
  journal: Journal,
  probe: Probe,
  isSpeculative: boolean,
): Promise<Outcome> {
  const { script } = execution.input as unknown as { script: Script };
  for (const [index, line] of script.entries()) {
    const key = String(index);
    if (line.do === "fail") return { type: "failed", error: "the script says so", log: ["failed"] };
    if (line.do === "effect" && !journal.steps.has(key)) {
      if (isSpeculative) await journal.log([]);
      await probe.before?.(execution.id, key);
      await probe.after?.(execution.id, key);
      await journal.record(key, { type: "done", output: index }, { log: [`step ${key}`] });
    }
    if (line.do === "think") {
      const options = { log: [`step ${key}`], isRepeatable: true };
      await journal.record(key, { type: "done", output: index }, options);
    }
    if (line.do === "wait" && !journal.steps.has(key)) {
      await journal.wait(key, line.ms);
    }
    if (line.do === "children") {
      for (const [number, child] of line.scripts.entries()) {
        const childKey = `${key}.${number}`;
        if (journal.steps.has(childKey)) continue;
        await journal.spawn(childKey, {
          ...startOf(`${execution.id}/${childKey}`, child),
          userId: execution.userId,
          teamId: execution.teamId,
        });
      }
    }
    const mine = [...journal.steps.values()].filter((step) => step.key.split(".")[0] === key);
    const failed = mine.find((step) => step.state === "failed");
    if (failed) return { type: "failed", error: failed.error ?? "", log: ["failed"] };
    if (mine.some((step) => step.state === "waiting")) return { type: "waiting" };
  }
  return { type: "done", result: journal.steps.size, log: ["done"] };
}

/** What to start for a script. */
export function startOf(id: string, script: Script) {
  return {
    id,
    kind: "scripted",
    subjectId: "subject",
    userId: "user_ada",
    teamId: null,
    input: { script },
  } as const;
}

/** A tree of scripts: at each level an effect, a wait, then one child; an effect at the end. */
export function nested(levels: number, ms: number): Script {
  const below: Script = levels === 0 ? [] : [{ do: "children", scripts: [nested(levels - 1, ms)] }];
  return [{ do: "effect" }, { do: "wait", ms }, ...below, { do: "effect" }];
}
