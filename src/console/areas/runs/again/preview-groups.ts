import type { Received } from "../../../../contract/define.ts";
import type { AgainNode } from "../../../../contract/run-again.ts";
import { joinNames } from "../../../lib/join-names.ts";
import { shownName } from "../../../lib/shownName.ts";
import { counted, grouped } from "../../../lib/words.ts";

/** A step of a preview as it may really come; one without an id is left out. */
export type AgainNodeIn = Received<AgainNode> & { readonly id: string };

/** What becomes of steps: done again, done for the first time, reused, or in a way that this console does not know. */
export type GroupKind = "again" | "first_time" | "reused" | "other";

export interface AgainGroup {
  readonly kind: GroupKind;
  readonly nodes: readonly AgainNodeIn[];
}

const kindOf: Readonly<Record<string, GroupKind>> = {
  again: "again",
  first_time: "first_time",
  reused: "reused",
  given: "reused",
};
const order: readonly GroupKind[] = ["again", "first_time", "other", "reused"];

/** The steps by what becomes of them, each group in the order of the flow; what happens first, what does not last. */
export function groupsOf(nodes: readonly AgainNodeIn[]): readonly AgainGroup[] {
  return order.flatMap((kind) => {
    const own = nodes.filter(({ state }) => (kindOf[state ?? ""] ?? "other") === kind);
    return own.length === 0 ? [] : [{ kind, nodes: own }];
  });
}

/** The steps of a level of a preview that can be read. */
export function nodesOf(
  nodes: readonly (Received<AgainNode> | null | undefined)[] | null | undefined,
): readonly AgainNodeIn[] {
  return (nodes ?? []).filter((node): node is AgainNodeIn => typeof node?.id === "string");
}

/** What happens to one step beside its name; null where its group says all. */
export function remarkOn({ state, items, run_id }: AgainNodeIn): string | null {
  if (state === "given") return "your output";
  const known = state === "again" || state === "first_time" || state === "reused";
  if (!known) return state || "unknown";
  if (run_id) return "inside its sub-run";
  if (!items) return null;
  return typeof items.total === "number"
    ? `${grouped(items.reused ?? 0)} of ${counted(items.total, "item")} reused`
    : `${counted(items.reused ?? 0, "item")} reused`;
}

/** The steps that may do outside once more what they did: where a sub-run goes again, only those inside it are named. */
export function repeatsOf(levels: readonly (readonly AgainNodeIn[])[]): readonly AgainNodeIn[] {
  return levels.flat().filter(({ may_repeat, run_id }) => may_repeat === true && !run_id);
}

const reached = "reached servers, agents or other flows";
/** What a type of step did outside where it is not `reached`; what an `each` does to its items is not told. */
const didOf: Readonly<Record<string, string>> = {
  each: `${reached} or asked people`,
  approval: "asked people",
};

/** What they did in the earlier run, in sentences: an approval asked people, and everything else reached what is outside. */
export function repeatWords(repeats: readonly AgainNodeIn[]): string {
  const did = (type: string | null | undefined) => didOf[type ?? ""] ?? reached;
  return [reached, ...Object.values(didOf)]
    .flatMap((what) => {
      const names = repeats.filter(({ type }) => did(type) === what).map(({ id }) => shownName(id));
      return names.length === 0 ? [] : [`${joinNames(names)} ${what} in the earlier run, or may have.`];
    })
    .join(" ");
}

/** All of it in a sentence: "2 steps run again, 1 may run for the first time, 5 are reused." */
export function summaryOf(levels: readonly (readonly AgainNodeIn[])[]): string {
  const groups = groupsOf(levels.flat());
  const count = (kind: GroupKind) => groups.find((group) => group.kind === kind)?.nodes.length ?? 0;
  const [again, first, reused] = [count("again"), count("first_time"), count("reused")];
  const parts = [
    ...(again > 0 ? [`${counted(again, "step runs", "steps run")} again`] : []),
    ...(first > 0 ? [`${grouped(first)} may run for the first time`] : []),
    ...(reused > 0 ? [`${grouped(reused)} ${reused === 1 ? "is" : "are"} reused`] : []),
  ];
  return `${joinNames(parts)}.`;
}
