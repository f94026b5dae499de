import { formatDuration } from "../../../lib/time/format.ts";
import { cx } from "../../../ui/cx.ts";
import type { NodeSpan } from "../log/timeline.ts";

type Props = { a: readonly NodeSpan[]; b: readonly NodeSpan[] };

interface Row {
  readonly node: string;
  readonly a: NodeSpan | undefined;
  readonly b: NodeSpan | undefined;
}

const lengthOf = (span: NodeSpan | undefined) => (span ? span.to - span.from : 0);
const word = (span: NodeSpan | undefined) =>
  span === undefined
    ? "none"
    : span.progress === "skipped"
      ? "skipped"
      : formatDuration(lengthOf(span), { fine: true });
/** A difference that is worth a sentence. */
const notable = 1_000;

/** How long each node took in both runs, as far as the logs tell it. */
export function NodesDiff({ a, b }: Props) {
  const inB = new Map(b.map((span) => [span.node, span]));
  const rows: Row[] = a.map((span) => ({ node: span.node, a: span, b: inB.get(span.node) }));
  const inA = new Set(a.map((span) => span.node));
  for (const span of b) if (!inA.has(span.node)) rows.push({ node: span.node, a: undefined, b: span });
  if (rows.length === 0) return null;
  const longest = Math.max(1, ...rows.flatMap((row) => [lengthOf(row.a), lengthOf(row.b)]));
  const slower = slowest(rows);
  return (
    <section aria-label="Nodes" className="py-3.5 pr-edge-right pl-edge-left">
      <header className="flex items-baseline gap-2.5 pb-1.5">
        <h3 className="font-semibold">Nodes</h3>
        <p className="text-muted text-secondary">top bar A, bottom bar B; reconstructed from the logs</p>
      </header>
      <table aria-label="Nodes of both runs" className="w-full table-fixed">
        <thead className="sr-only">
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Bars</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.node} className="h-[30px]">
              <th scope="row" className="truncate pr-2 text-left font-normal" title={row.node}>
                {row.node}
              </th>
              <td className="w-[30%]">
                <Bar span={row.a} longest={longest} className="bg-chart-ghost" />
                <Bar
                  span={row.b}
                  longest={longest}
                  className={row.b?.progress === "failed" ? "bg-state-failed-mark" : "bg-chart-quiet"}
                />
              </td>
              <td className="w-[72px] text-right text-muted tabular-nums">{word(row.a)}</td>
              <td className={cx("w-[72px] text-right tabular-nums", row.b === undefined && "text-muted")}>
                {word(row.b)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {slower && (
        <p className="pt-2 text-muted text-secondary">
          {slower.node} took {formatDuration(Math.abs(slower.by), { fine: true })}{" "}
          {slower.by > 0 ? "longer in B" : "shorter in B"}.
        </p>
      )}
    </section>
  );
}

function Bar({
  span,
  longest,
  className,
}: {
  span: NodeSpan | undefined;
  longest: number;
  className: string;
}) {
  const share = `${(lengthOf(span) / longest) * 100}%`;
  return (
    <span className="block h-[5px]" aria-hidden="true">
      {span && <span className={cx("block h-full min-w-px", className)} style={{ width: share }} />}
    </span>
  );
}

function slowest(rows: readonly Row[]): { node: string; by: number } | null {
  let found: { node: string; by: number } | null = null;
  for (const { node, a, b } of rows) {
    if (!a || !b) continue;
    const by = lengthOf(b) - lengthOf(a);
    if (Math.abs(by) >= notable && Math.abs(by) > Math.abs(found?.by ?? 0)) found = { node, by };
  }
  return found;
}
