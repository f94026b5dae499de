import { Link } from "@tanstack/react-router";
import { describeError } from "../../api/describe-error.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { RestCell, Td, Tr } from "../../ui/Table.tsx";
import { GradeBar } from "./GradeBar.tsx";
import { againstBefore, passWords } from "./grades.ts";
import { usualPeriod } from "./period.ts";
import { useGraded } from "./useGraded.ts";

type Props = { agent: { readonly id: string; readonly name: string }; days: number };

/** One agent: how much was graded, in which shares, and what needs somebody against the days before. */
export function AgentRow({ agent, days }: Props) {
  const { query: now, both, graded } = useGraded(agent.id, days);
  const bad = graded?.counts.get("needs_attention") ?? 0;
  const before = graded?.before ?? null;
  const tags = [...(graded?.tags ?? [])].sort((a, b) => b[1] - a[1]).slice(0, 2);
  const search = days === usualPeriod ? {} : { days };
  return (
    <Tr>
      <Td kind="name">
        <Link to="/agents/$agentId/evaluations" params={{ agentId: agent.id }} search={search}>
          <bdi>{agent.name}</bdi>
        </Link>
      </Td>
      {graded ? (
        <>
          <Td kind="figure">
            {graded.total.toLocaleString("en-GB")}{" "}
            <span className="text-muted @max-[1100px]:sr-only">
              {graded.total === 1 ? graded.noun : `${graded.noun}s`}
            </span>
          </Td>
          <Td>
            {graded.total === 0 ? (
              <span className="text-faint">none evaluated</span>
            ) : (
              <span className="flex items-baseline gap-2.5">
                <GradeBar counts={graded.counts} className="w-[72px] self-center max-sm:w-10" />
                <span className="min-w-0 truncate text-secondary tabular-nums">
                  {passWords(graded.counts, graded.total)}
                </span>
              </span>
            )}
          </Td>
          <Td kind="support" className="@max-[760px]:hidden">
            {graded.total > 0 && (
              <Link
                to="/agents/$agentId/evaluations"
                params={{ agentId: agent.id }}
                search={{ ...search, grade: "needs_attention" }}
                className={cx(bad > 0 && "font-medium text-state-failed-fg")}
              >
                {bad}
                <span className="ml-2 font-normal text-muted">
                  {before &&
                    againstBefore(bad, graded.total, before.counts.get("needs_attention") ?? 0, before.total)}
                </span>
              </Link>
            )}
          </Td>
          <Td kind="support" className="@max-[960px]:hidden">
            <span className="text-mono-narrow">{tags.map(([tag]) => tag).join(", ")}</span>
          </Td>
        </>
      ) : (
        <RestCell before={1} kind="faint">
          {now.isError ? (
            <span className="flex min-w-0 items-center gap-2">
              <span className="shrink-0">could not be read</span>
              <span className="min-w-0 truncate text-muted max-sm:hidden">
                {describeError(now.error).what}
              </span>
              <Button
                size="small"
                className="-my-1 shrink-0"
                loading={now.isRetrying}
                aria-label={`Retry: ${agent.name}`}
                onClick={() => void Promise.all([now.refetch(), both.isError && both.refetch()])}
              >
                Retry
              </Button>
            </span>
          ) : (
            "reading…"
          )}
        </RestCell>
      )}
    </Tr>
  );
}
