import Check from "lucide-react/icons/check";
import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { JsonView } from "../json/JsonView.tsx";
import { sameJson } from "../json/json-value.ts";
import type { Choice } from "./merge-record.ts";
import type { Leaf } from "./merge-value.ts";
import { openConflictProps } from "./open-conflict.ts";
import { TextMerge } from "./TextMerge.tsx";
import { type MergeView, whose } from "./useMerge.ts";

/** One row: what it is, as it was, yours, theirs, and what comes of it. */
export interface ValueRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly cells: readonly [base: ReactNode, mine: ReactNode, theirs: ReactNode];
  readonly kind: Leaf["kind"];
  /** The conflicts that a choice in this row decides. */
  readonly ids: readonly string[];
  readonly canTakeBoth?: boolean;
  /** What comes of it where nothing is to be chosen. */
  readonly result: string;
}

type TableProps = { view: MergeView; label: string; head: string };
type RowsProps = TableProps & { rows: readonly ValueRow[] };

/** Values beside each other: a table, on phones one block for each. */
export function ValueRows({ view, label, head, rows }: RowsProps) {
  const { choices, baseName, theirsName } = view;
  const cell =
    "px-2.5 py-2 align-top first:pl-4 last:pr-edge-right max-sm:block max-sm:py-0.5 max-sm:first:pt-2 max-sm:last:pb-2.5 max-sm:pl-4!";
  const heads = [head, baseName, "Yours", `Theirs, ${theirsName}`, "Result"];
  return (
    <table aria-label={label} className="w-full table-fixed border-collapse max-sm:block">
      <thead className="max-sm:sr-only">
        <tr>
          {heads.map((one) => (
            <th
              key={one}
              scope="col"
              className="border-b px-2.5 py-1.5 text-left font-medium text-muted text-secondary first:w-[26%] first:pl-4 last:w-[164px] last:pr-edge-right"
            >
              {one}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => {
          const choice = row.ids[0] === undefined ? undefined : choices[row.ids[0]];
          const isOpen = row.ids.length > 0 && choice === undefined;
          return (
            <tr
              key={row.key}
              {...(isOpen && openConflictProps)}
              className={cx(
                "border-b max-sm:block",
                isOpen &&
                  "bg-state-stopped-bg [&>*:first-child]:shadow-[inset_2px_0_var(--state-stopped-mark)]",
                row.kind === "same" && "text-muted",
              )}
            >
              <th
                scope="row"
                className={cx(
                  cell,
                  "break-words text-left",
                  row.kind === "same" ? "font-normal" : "font-medium",
                )}
              >
                {row.name}
              </th>
              {row.cells.map((one, at) => (
                <td
                  key={heads[at + 1]}
                  className={cx(cell, "min-w-0 overflow-hidden break-words", at === 0 && "text-muted")}
                >
                  <span className="mr-2 text-faint text-secondary sm:hidden">{heads[at + 1]}</span>
                  {one}
                </td>
              ))}
              <td className={cell}>
                {row.ids.length > 0 ? (
                  <Choose row={row} view={view} choice={choice} />
                ) : (
                  <span className="inline-flex items-center gap-2">
                    {row.kind !== "same" && <Check className="text-state-done-mark" />}
                    {row.result}
                  </span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Choose({ row, view, choice }: { row: ValueRow; view: MergeView; choice: Choice | undefined }) {
  const value = typeof choice === "string" ? choice : "";
  return (
    <Segmented<string>
      label={`Which version of ${typeof row.name === "string" ? row.name : row.key}`}
      options={[
        { value: "mine", label: "Yours" },
        { value: "theirs", label: "Theirs" },
        ...(row.canTakeBoth ? [{ value: "both", label: "Both" }] : []),
      ]}
      value={value}
      onChange={(next) => view.choose(row.ids, next as Choice)}
    />
  );
}

type LeavesProps = TableProps & { leaves: readonly Leaf[]; nameOf: (leaf: Leaf) => string };

/** The leaves of a section or a single value as rows; long texts that go by line stand below them. */
export function LeafRows({ view, label, head, leaves, nameOf }: LeavesProps) {
  const rows = leaves
    .filter((leaf) => leaf.chunks === null && leaf.kind !== "same")
    .map(
      (leaf): ValueRow => ({
        key: leaf.id,
        name: nameOf(leaf),
        cells: [shown(leaf.base), against(leaf.base, leaf.mine), against(leaf.base, leaf.theirs)],
        kind: leaf.kind,
        ids: leaf.kind === "conflict" ? [leaf.id] : [],
        canTakeBoth: [leaf.mine, leaf.theirs].every((side) => Array.isArray(side)),
        result: whose[leaf.kind],
      }),
    );
  return (
    <>
      {rows.length > 0 && <ValueRows view={view} label={label} head={head} rows={rows} />}
      {leaves
        .filter((leaf) => leaf.chunks !== null)
        .map((leaf) => (
          <div key={leaf.id} className="border-b py-1">
            <p className="px-4 py-1 text-muted text-secondary">{nameOf(leaf)}</p>
            <TextMerge view={view} leaf={leaf} label={nameOf(leaf)} show="merged" />
          </div>
        ))}
    </>
  );
}

/** A value in a cell; `undefined` is one that is not set. */
export function shown(value: unknown): ReactNode {
  if (value === undefined) return <span className="text-muted">not set</span>;
  if (value === null || value === "") return <span className="text-muted">empty</span>;
  if (typeof value === "string") return <span className="whitespace-pre-wrap">{value}</span>;
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.length === 0 ? (
      <span className="text-muted">none</span>
    ) : (
      <ul>
        {value.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: only read
          <li key={at} className="break-words">
            {one}
          </li>
        ))}
      </ul>
    );
  return <JsonView value={value} label="Value" />;
}

function against(base: unknown, value: unknown): ReactNode {
  if (sameJson(base, value)) return <span className="text-muted">unchanged</span>;
  if (value === undefined) return "removed";
  return shown(value);
}
