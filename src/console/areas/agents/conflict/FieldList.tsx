import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { cx } from "../../../ui/cx.ts";
import type { MergedField } from "../agent/merge.ts";
import { goToSection } from "../settings/Section.tsx";
import type { Merge } from "./useMerge.ts";
import { whose } from "./useMerge.ts";

/** All fields of the merge: those that need the person, those that merged by themselves with whose they are, the rest. */
export function FieldList({ merge, current }: { merge: Merge; current: string | undefined }) {
  const { fields } = merge.result;
  const [isOpen, setOpen] = useState(false);
  const open = fields.filter((field) => field.kind === "conflict");
  const itself = fields.filter((field) => field.kind !== "conflict" && field.kind !== "same");
  const same = fields.filter((field) => field.kind === "same");
  const row = (field: MergedField) => (
    <li key={field.field}>
      <Link
        from="/agents/$agentId/settings"
        to="."
        search={(old) => ({ ...old, field: field.field })}
        replace
        onClick={() => goToSection(`merge ${field.field}`)}
        {...(field.field === current && { "aria-current": "true" as const })}
        className={cx(
          "focus-inset flex h-control items-center gap-2 pr-4 pl-edge-left",
          field.field === current
            ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]"
            : "hover:bg-surface-hover",
        )}
      >
        <span className="min-w-0 flex-1 truncate text-mono">{field.field}</span>{" "}
        <span
          className={cx(
            "text-secondary tabular-nums",
            openCount(merge, field.field) > 0 ? "text-state-stopped-fg" : "text-muted",
          )}
        >
          {field.kind === "conflict" ? choiceWords(merge, field.field) : whose[field.kind]}
        </span>
      </Link>
    </li>
  );
  return (
    <nav aria-label="Fields of the merge" className="flex-1 py-3">
      {open.length > 0 && (
        <Group title="Need you" count={open.length}>
          {open.map(row)}
        </Group>
      )}
      {itself.length > 0 && (
        <Group title="Merged by themselves" count={itself.length}>
          {itself.map(row)}
        </Group>
      )}
      {same.length > 0 && (
        <div className="mt-3 max-md:hidden">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="focus-inset flex w-full items-baseline gap-2 py-1 pr-4 pl-edge-left text-left text-muted text-secondary hover:text-default"
          >
            <span className="flex-1">Same in all three</span>
            <span className="tabular-nums">{same.length}</span>
          </button>
          {isOpen && (
            <ul>
              {same.map((field) => (
                <li key={field.field} className="truncate py-1 pr-4 pl-edge-left text-mono text-muted">
                  {field.field}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </nav>
  );
}

function Group({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  return (
    <div className="mb-3">
      <p className="flex items-baseline pr-4 pb-1 pl-edge-left text-muted text-secondary">
        <span className="flex-1">{title}</span>
        <span className="tabular-nums">{count}</span>
      </p>
      <ul>{children}</ul>
    </div>
  );
}

/** How many conflicts of a field have no choice yet. */
export const openCount = (merge: Merge, field: string): number =>
  merge.open.filter((one) => one.field === field).length;

function choiceWords(merge: Merge, field: string): string {
  const all = merge.conflicts.filter((one) => one.field === field).length;
  const left = openCount(merge, field);
  if (left === 0) return "chosen";
  return all === 1 ? "1 to choose" : `${left} of ${all} to choose`;
}
