import { type ReactNode, useState } from "react";
import { cx } from "../../ui/cx.ts";
import type { MergedField } from "./merge-record.ts";
import { type Merge, whose } from "./useMerge.ts";

type Props = {
  merge: Merge<unknown>;
  /** The field that is looked at. */
  current: string | undefined;
  /** Links a row to its field. */
  link: (field: string, row: { readonly className: string; readonly children: ReactNode }) => ReactNode;
};

/** All fields of the merge: those that need the person, those that merged by themselves with whose they are, the rest. */
export function FieldList({ merge, current, link }: Props) {
  const { fields } = merge.result;
  const [isOpen, setOpen] = useState(false);
  const open = fields.filter((field) => field.kind === "conflict");
  const itself = fields.filter((field) => field.kind !== "conflict" && field.kind !== "same");
  const same = fields.filter((field) => field.kind === "same");
  const row = ({ field, kind }: MergedField) => (
    <li key={field}>
      {link(field, {
        className: cx(
          "focus-inset flex h-control items-center gap-2 pr-4 pl-edge-left",
          field === current
            ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]"
            : "hover:bg-surface-hover",
        ),
        children: (
          <>
            <span className="min-w-0 flex-1 truncate text-mono">{field}</span>{" "}
            <span
              className={cx(
                "text-secondary tabular-nums",
                openCount(merge, field) > 0 ? "text-state-stopped-fg" : "text-muted",
              )}
            >
              {kind === "conflict" ? choiceWords(merge, field) : whose[kind]}
            </span>
          </>
        ),
      })}
    </li>
  );
  const groups = [
    { title: "Conflicts", fields: open },
    { title: "Merged automatically", fields: itself },
  ].filter((group) => group.fields.length > 0);
  return (
    <nav aria-label="Fields to merge" className="flex-1 py-3">
      {groups.map((group) => (
        <div key={group.title} className="mb-3">
          <p className="flex items-baseline pr-4 pb-1 pl-edge-left text-muted text-secondary">
            <span className="flex-1">{group.title}</span>
            <span className="tabular-nums">{group.fields.length}</span>
          </p>
          <ul>{group.fields.map(row)}</ul>
        </div>
      ))}
      {same.length > 0 && (
        <div className="mt-3 max-md:hidden">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="focus-inset flex w-full items-baseline gap-2 py-1 pr-4 pl-edge-left text-left text-muted text-secondary hover:text-default"
          >
            <span className="flex-1">Unchanged</span>
            <span className="tabular-nums">{same.length}</span>
          </button>
          {isOpen && (
            <ul>
              {same.map(({ field }) => (
                <li key={field} className="truncate py-1 pr-4 pl-edge-left text-mono text-muted">
                  {field}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </nav>
  );
}

/** How many conflicts of a field have no choice yet. */
export const openCount = (merge: Merge<unknown>, field: string): number =>
  merge.open.filter((one) => one.field === field).length;

function choiceWords(merge: Merge<unknown>, field: string): string {
  const all = merge.conflicts.filter((one) => one.field === field).length;
  const left = openCount(merge, field);
  if (left === 0) return "chosen";
  return all === 1 ? "1 to choose" : `${left} of ${all} to choose`;
}
