import type { ReactNode } from "react";
import { sameJson } from "../json/json-value.ts";
import { counted } from "../words.ts";
import { openCount } from "./FieldList.tsx";
import type { ListEntry } from "./merge-list.ts";
import type { ListField, MergedField } from "./merge-record.ts";
import type { Leaf } from "./merge-value.ts";
import { TextMerge, type TextShow, TextViews } from "./TextMerge.tsx";
import type { FieldNames, Merge, MergeView } from "./useMerge.ts";
import { LeafRows, shown, type ValueRow, ValueRows } from "./ValueRows.tsx";

type Props = {
  merge: Merge<unknown>;
  /** Those that are shown, in their order. */
  fields: readonly MergedField[];
  view: MergeView;
  names: FieldNames;
  /** The ids of the titles, which take the focus. */
  idOf: (field: string) => string;
  show: TextShow;
  onShow: (show: TextShow) => void;
};

/** The fields of a merge that somebody changed: what merged with whose it is, and what is left to choose. */
export function MergedFields({ merge, fields, view, names, idOf, show, onShow }: Props) {
  const firstText = fields.find((one) => one.form === "text");
  return fields.map((field) => (
    <section key={field.field} aria-labelledby={idOf(field.field)}>
      <header className="flex min-h-[47px] flex-wrap items-center gap-x-2.5 gap-y-1 border-b px-4 py-2">
        <h3 id={idOf(field.field)} tabIndex={-1} className="scroll-mt-2 rounded-tag text-heading">
          {names.titleOf(field.field)}
        </h3>
        <span className="text-muted text-secondary">{aboutOf(field, merge)}</span>
        {field === firstText && (
          <span className="ml-auto max-sm:w-full">
            <TextViews show={show} onShow={onShow} />
          </span>
        )}
      </header>
      <FieldBody field={field} view={view} names={names} show={show} />
    </section>
  ));
}

type BodyProps = { field: MergedField; view: MergeView; names: FieldNames; show: TextShow };

function FieldBody({ field, view, names, show }: BodyProps) {
  const title = names.titleOf(field.field);
  if (field.form === "text") {
    return (
      <div className="border-b py-1.5">
        <TextMerge view={view} leaf={field.leaf} label={title} show={show} />
      </div>
    );
  }
  if (field.form === "list") {
    return (
      <ValueRows
        view={view}
        label={`${title} in the merge`}
        head={names.itemTitle(field.field)}
        rows={listRows(field, names)}
      />
    );
  }
  const isSection = field.form === "section";
  return (
    <LeafRows
      view={view}
      label={`${title} in the merge`}
      head={isSection ? "Key" : "Field"}
      leaves={isSection ? field.leaves : [field.leaf]}
      nameOf={(leaf) => (isSection && leaf.path.join(".").replaceAll("_", " ")) || title}
    />
  );
}

/** "2 changes of yours, 1 change of theirs, 1 conflict; 1 to choose" */
function aboutOf(field: MergedField, merge: Merge<unknown>): string {
  if (field.form === "list") return "Merged item by item; the whole list is sent";
  const kinds =
    field.form === "section"
      ? field.leaves.map((leaf) => leaf.kind)
      : (field.leaf.chunks?.map((chunk) => chunk.kind) ?? [field.leaf.kind]);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;

  const parts = [
    count("mine") > 0 && `${counted(count("mine"), "change")} of yours`,
    count("theirs") > 0 && `${counted(count("theirs"), "change")} of theirs`,
    count("conflict") > 0 && `${counted(count("conflict"), "conflict")}`,
  ].filter(Boolean);
  const left = openCount(merge, field.field);
  return [parts.join(", ") || "same change on both sides", left > 0 ? `${left} to choose` : ""]
    .filter(Boolean)
    .join("; ");
}

/** The items of a list, merged one by one. One that both changed in several values is asked value by value. */
function listRows(field: ListField, names: FieldNames): readonly ValueRow[] {
  const touched = field.entries.filter((entry) => entry.kind !== "same");
  const [first, ...more] = field.entries.filter((entry) => entry.kind === "same");
  const say = (item: unknown) => names.sayItem(field.field, item);
  return [
    ...touched.flatMap((entry) => entryRows(entry, names.itemName(entry), say)),
    ...(field.order.kind === "same" ? [] : [orderRow(field.order, names.phraseOf(field.field))]),
    ...(first === undefined
      ? []
      : [
          {
            key: "same",
            name:
              more.length === 0 ? names.itemName(first) : `${names.itemName(first)} and ${more.length} more`,
            cells: ["unchanged", "unchanged", "unchanged"],
            kind: "same",
            ids: [],
            result: "unchanged",
          } satisfies ValueRow,
        ]),
  ];
}

type SayItem = (item: unknown) => string | null | undefined;

function entryRows(entry: ListEntry, name: string, say: SayItem): readonly ValueRow[] {
  const { base, mine, theirs, kind, identity, leaves } = entry;
  const open = leaves.filter((leaf) => leaf.kind === "conflict");
  const words = (side: unknown) => sideWords(base, side, say);
  const whole: ValueRow = {
    key: identity,
    name,
    cells: [base === undefined ? shown(base) : itemWords(base, say, "there"), words(mine), words(theirs)],
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

function orderRow(order: Leaf, phrase: string): ValueRow {
  const words = (side: unknown) =>
    sameJson(side, order.base) ? "unchanged" : Array.isArray(side) ? `${side.length} reordered` : "";
  return {
    key: order.id,
    name: `Order of ${phrase}`,
    cells: ["", words(order.mine), words(order.theirs)],
    kind: order.kind,
    ids: order.kind === "conflict" ? [order.id] : [],
    result: order.kind === "mine" ? "yours" : order.kind === "theirs" ? "theirs" : "both",
  };
}

/** An item in words: "all tools, at once"; `there` where no more is to be said of it. */
function itemWords(item: unknown, say: SayItem, there: string): ReactNode {
  const said = say(item);
  return said === undefined ? shown(item) : (said ?? there);
}

/** One side of an item: "only read, 4 tools, asks first", "taken out", "same". */
function sideWords(base: unknown, side: unknown, say: SayItem): ReactNode {
  if (side === undefined) return base === undefined ? shown(undefined) : "removed";
  if (base !== undefined && sameJson(base, side)) return <span className="text-muted">unchanged</span>;
  return itemWords(side, say, base === undefined ? "added" : "changed");
}

function resultWords({ base, mine, theirs, kind }: ListEntry): string {
  if (kind === "same") return "unchanged";
  if (kind === "both") return "both";
  const side = kind === "theirs" ? theirs : mine;
  const by = kind === "theirs" ? "by them" : "by you";
  if (side === undefined) return `removed ${by}`;
  return `${base === undefined ? "added" : "changed"} ${by}`;
}
