import type { AgentTool } from "../../../../contract/agents.ts";
import { type JsonObject, sameJson } from "../../../lib/json/json-value.ts";
import { counted } from "../../../lib/words.ts";
import type { Leaf, ListEntry, ListField } from "../agent/merge.ts";
import { approvalLabel, hasAllTools, nameOfTool } from "../agent/tools.ts";
import type { MergeView, NameOf } from "./useMerge.ts";
import { shown, type ValueRow, ValueRows } from "./ValueRows.tsx";

/** Tools or resources, merged one by one. One that both changed in several values is asked value by value. */
export function ListMerge({ view, field, nameOf }: { view: MergeView; field: ListField; nameOf: NameOf }) {
  const touched = field.entries.filter((entry) => entry.kind !== "same");
  const same = field.entries.filter((entry) => entry.kind === "same");
  const isTools = field.field === "tools";
  const first = same[0];
  const rows = [
    ...touched.flatMap((entry) => entryRows(entry, nameOf(entry), isTools)),
    ...(field.order.kind === "same" ? [] : [orderRow(field.order, isTools)]),
    ...(first === undefined
      ? []
      : [
          {
            key: "same",
            name: same.length === 1 ? nameOf(first) : `${nameOf(first)} and ${same.length - 1} more`,
            cells: ["same", "same", "same"],
            kind: "same",
            ids: [],
            result: "as it was",
          } satisfies ValueRow,
        ]),
  ];
  return (
    <ValueRows
      view={view}
      label={isTools ? "Tools in the merge" : "Resources in the merge"}
      head={isTools ? "Tool" : "Resource"}
      rows={rows}
    />
  );
}

function entryRows(entry: ListEntry, name: string, isTools: boolean): readonly ValueRow[] {
  const { base, mine, theirs, kind, identity, leaves } = entry;
  const open = leaves.filter((leaf) => leaf.kind === "conflict");
  const words = (side: JsonObject | undefined) => itemWords(base, side, isTools);
  const whole: ValueRow = {
    key: identity,
    name,
    cells: [wasWords(base, isTools), words(mine), words(theirs)],
    kind,
    ids: open.length === 1 && open[0] !== undefined ? [open[0].id] : [],
    result: resultWords(entry),
  };
  if (open.length < 2) return [whole];
  return [
    { ...whole, result: `${open.length} values to choose` },
    ...open.map(
      (leaf): ValueRow => ({
        key: leaf.id,
        name: `${name}: ${leaf.path.join(".").replaceAll("_", " ")}`,
        cells: [shown(leaf.base), shown(leaf.mine), shown(leaf.theirs)],
        kind: "conflict",
        ids: [leaf.id],
        result: "",
      }),
    ),
  ];
}

function orderRow(order: Leaf, isTools: boolean): ValueRow {
  const words = (side: unknown) =>
    sameJson(side, order.base) ? "same" : Array.isArray(side) ? `${side.length} in another order` : "";
  return {
    key: order.id,
    name: isTools ? "Order of the tools" : "Order of the resources",
    cells: ["", words(order.mine), words(order.theirs)],
    kind: order.kind,
    ids: order.kind === "conflict" ? [order.id] : [],
    result: order.kind === "mine" ? "yours" : order.kind === "theirs" ? "theirs" : "both",
  };
}

/** A tool as it was: "all tools, at once", "there". */
function wasWords(base: JsonObject | undefined, isTools: boolean) {
  if (base === undefined) return shown(undefined);
  const kind = isTools ? nameOfTool(base).kind : "other";
  if (kind === "server") return serverWords(base as AgentTool);
  return kind === "flow" ? "there" : shown(base);
}

/** One side of a tool: "only read, 4 tools, asks first", "taken out", "same". */
function itemWords(base: JsonObject | undefined, side: JsonObject | undefined, isTools: boolean) {
  if (side === undefined) return base === undefined ? shown(undefined) : "taken out";
  if (base !== undefined && sameJson(base, side)) return <span className="text-muted">same</span>;
  const kind = nameOfTool(side).kind;
  if (!isTools || kind === "other") return shown(side);
  if (kind === "server") return serverWords(side as AgentTool);
  return base === undefined ? "added" : "changed";
}

function serverWords(tool: AgentTool): string {
  const count = tool.allowed_tool_call_ids?.length ?? 0;
  const scope = hasAllTools(tool) ? "all tools" : counted(count, "tool");
  return `${scope}, ${approvalLabel(tool.approval_mode, "at once")}`;
}

function resultWords({ base, mine, theirs, kind }: ListEntry): string {
  if (kind === "same") return "as it was";
  if (kind === "both") return "both changes";
  const side = kind === "theirs" ? theirs : mine;
  const by = kind === "theirs" ? "by them" : "by you";
  if (side === undefined) return `taken out ${by}`;
  return `${base === undefined ? "added" : "changed"} ${by}`;
}
