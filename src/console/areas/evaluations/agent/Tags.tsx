import { Link } from "@tanstack/react-router";
import { PanelSection } from "../../../ui/Panel.tsx";
import type { Graded } from "../graded.ts";
import type { DataPointSummary } from "./results.ts";
import type { EvaluationsSearch } from "./search.ts";

type Props = {
  graded: Pick<Graded, "tags" | "before" | "noun">;
  dataPoints: readonly DataPointSummary[];
  agentId: string;
  search: EvaluationsSearch;
  opens: boolean;
};

/** How many conversations (or results) got each tag, with a tick where it stood before; and what the data points say. */
export function Tags({ graded, dataPoints, agentId, search, opens }: Props) {
  const { tags, before: period, noun } = graded;
  const tagsBefore = period?.tags ?? new Map<string, number>();
  const sorted = [...tags].sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...tags.values(), ...tagsBefore.values());
  return (
    <>
      <PanelSection title="Tags" aside={`by ${noun}${tagsBefore.size > 0 ? ", tick: the days before" : ""}`}>
        {sorted.length === 0 ? (
          <p className="text-faint">none given</p>
        ) : (
          <ul>
            {sorted.map(([tag, count]) => {
              const before = tagsBefore.get(tag) ?? 0;
              const difference = count - before;
              return (
                <li key={tag} className="grid min-h-7 grid-cols-[1fr_84px_32px_40px] items-center gap-2">
                  {opens ? (
                    <Link
                      to="/agents/$agentId/evaluations"
                      params={{ agentId }}
                      search={{ ...search, result: undefined, tag: search.tag === tag ? undefined : tag }}
                      replace
                      aria-current={search.tag === tag ? "true" : undefined}
                      title={tag}
                      className="truncate text-mono hover:text-accent aria-[current]:text-accent"
                    >
                      {tag}
                    </Link>
                  ) : (
                    <span className="truncate text-mono" title={tag}>
                      {tag}
                    </span>
                  )}
                  <span className="relative h-1.5" aria-hidden="true">
                    <span
                      className="block h-full bg-chart-quiet"
                      style={{ width: `${(count / most) * 100}%` }}
                    />
                    {before > 0 && (
                      <span
                        className="-top-0.5 absolute h-2.5 w-px bg-surface-inverse"
                        style={{ left: `${(before / most) * 100}%` }}
                      />
                    )}
                  </span>
                  <span className="text-right tabular-nums">{count}</span>
                  <span className="text-right text-muted text-secondary tabular-nums">
                    {period === null || difference === 0
                      ? ""
                      : difference > 0
                        ? `+${difference}`
                        : `−${-difference}`}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </PanelSection>
      {dataPoints.length > 0 && (
        <PanelSection title="Data points">
          <ul>
            {dataPoints.map((point) => (
              <li key={point.id} className="grid min-h-7 grid-cols-[1fr_72px_auto] items-center gap-2">
                <span className="truncate text-mono" title={point.id}>
                  {point.name}
                </span>
                <span className="text-muted text-secondary">{point.type}</span>
                <span className="text-right text-secondary tabular-nums">{point.words}</span>
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
    </>
  );
}
