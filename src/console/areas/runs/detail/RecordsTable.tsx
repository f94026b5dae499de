import { useState } from "react";
import { cx } from "../../../ui/cx.ts";
import { plainLinkClass } from "../../../ui/linkClass.ts";
import { valueWord } from "../run-row.ts";
import { columnsOf, isTable } from "./views.ts";

/** Drawn at once; the rest by hundreds. */
const step = 100;
const mostColumns = 30;
const shownOfCell = 200;

/** A list of records as a table; a cell that a record does not have stays empty. */
export function RecordsTable({ label, rows }: { label: string; rows: unknown }) {
  const [shown, setShown] = useState(step);
  if (!isTable(rows)) return null;
  const all = columnsOf(rows);
  const columns = all.slice(0, mostColumns);
  return (
    <>
      <table aria-label={label} className="border-separate border-spacing-0">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="sticky top-0 whitespace-nowrap border-b bg-surface py-1 pr-4 text-left font-normal text-mono-narrow text-muted"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a record has no other identity than its place
            <tr key={at} className="hover:bg-surface-hover">
              {columns.map((column) => {
                const value = Object.hasOwn(row, column) ? row[column] : undefined;
                const word = valueWord(value);
                return (
                  <td
                    key={column}
                    title={word.length > 40 ? word.slice(0, 1_000) : undefined}
                    className={cx(
                      "max-w-60 truncate border-b py-1 pr-4 align-baseline",
                      typeof value === "number" && "text-right tabular-nums",
                    )}
                  >
                    {word.slice(0, shownOfCell)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <p className="pt-1.5 text-muted text-secondary">
          <button type="button" className={plainLinkClass} onClick={() => setShown(shown + step)}>
            {Math.min(step, rows.length - shown)} more
          </button>{" "}
          of {(rows.length - shown).toLocaleString("en-GB")}
        </p>
      )}
      {all.length > columns.length && (
        <p className="pt-1 text-faint text-secondary">
          {all.length - columns.length} more columns: shown as JSON
        </p>
      )}
    </>
  );
}
