import type { ReactNode } from "react";
import { valueWord } from "../../../components/run/run-row.ts";
import { cx } from "../../../ui/cx.ts";
import type { ValueRow } from "./values.ts";

type Props = {
  title: string;
  /** What there is to say of all of them, in a few words. */
  remark: ReactNode;
  rows: readonly ValueRow[];
};

const shown = 400;

/** Inputs or outputs of two runs: those that differ beside each other, equal ones said once. */
export function ValuesDiff({ title, remark, rows }: Props) {
  return (
    <section aria-label={title} className="border-b py-3.5">
      <header className="flex items-baseline gap-2.5 pr-edge-right pb-1.5 pl-edge-left">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-muted text-secondary">{remark}</p>
      </header>
      {rows.length > 0 && (
        <table className="w-full table-fixed border-separate border-spacing-0">
          <thead className={cx(rows.every((row) => row.isSame) && "sr-only")}>
            <tr className="text-left text-muted text-secondary">
              <th scope="col" className="w-[112px] pl-edge-left font-normal">
                <span className="sr-only">Name</span>
              </th>
              <th scope="col" className="font-normal">
                A
              </th>
              <th scope="col" className="pr-4 font-normal">
                B
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className={cx("align-baseline", !row.isSame && "bg-state-stopped-bg")}>
                <th
                  scope="row"
                  title={row.name}
                  className="truncate py-[3px] pr-2 pl-edge-left text-left font-normal text-mono-narrow text-muted"
                >
                  {row.name}
                </th>
                {row.isSame ? (
                  <td colSpan={2} className="truncate py-[3px] pr-4" title={wordOf(row.a)}>
                    {wordOf(row.a).slice(0, 80)} <span className="text-muted">in both</span>
                  </td>
                ) : (
                  <>
                    <Cell value={row.a} />
                    <Cell value={row.b} isLast />
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Cell({ value, isLast = false }: { value: unknown; isLast?: boolean }) {
  if (value === undefined) return <td className={cx("py-[3px] text-muted", isLast && "pr-4")}>none</td>;
  const word = wordOf(value);
  return (
    <td className={cx("truncate py-[3px] pr-2 font-medium", isLast && "pr-4")} title={word}>
      {word === "" ? <span className="text-muted">an empty text</span> : word}
    </td>
  );
}

const wordOf = (value: unknown): string => valueWord(value).slice(0, shown);
