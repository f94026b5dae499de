import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { isNotFound } from "../../api/errors.ts";
import { evaluationMutations, type RubricIn, rubricPages } from "../../api/queries/evaluations.ts";
import { useApi } from "../../components/api-context.tsx";
import { curlOf } from "../../components/curl.ts";
import { Failure } from "../../components/failure/Failure.tsx";
import { Ago } from "../../components/time/Time.tsx";
import { usePages } from "../../components/usePages.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { State } from "../../ui/State.tsx";
import { Table, Td, Th, Tr } from "../../ui/Table.tsx";

/** Rubrics that several agents share: what they look at, and how one is deleted (§3.6, §4.13). */
export function Rubrics() {
  const api = useApi();
  const { query: read, rows: rubrics, more } = usePages(rubricPages(api));
  const remove = useMutation(evaluationMutations.remove(api));
  const [asked, setAsked] = useState<RubricIn | null>(null);
  if (read.isPending)
    return <SkeletonRows label="Reading rubrics" rows={4} columns={["2fr", "1fr", "80px"]} />;
  if (read.isError && !read.data)
    return (
      <Failure
        error={read.error}
        what="The saved rubrics"
        onRetry={() => void read.refetch()}
        isRetrying={read.isRetrying}
      />
    );
  if (rubrics.length === 0)
    return (
      <EmptyState
        title="No saved rubrics"
        curl={curlOf({
          method: "POST",
          url: new URL(`${api.base}/evaluations`, location.href).href,
          body: {
            name: "No promises",
            config: { criteria: [{ name: "No promises", prompt: "guarantee", type: "prohibited_words" }] },
          },
        })}
      >
        A saved rubric is applied to all agents of its team, or to all of its owner's own, beside what each
        agent has itself. This line saves one.
      </EmptyState>
    );
  return (
    <>
      <Table label="Saved rubrics">
        <thead>
          <tr>
            <Th>Rubric</Th>
            <Th className="w-[96px]">State</Th>
            <Th isFigure className="w-[88px] @max-[680px]:hidden">
              Criteria
            </Th>
            <Th className="w-[120px] max-sm:hidden">Changed</Th>
            <Th className="w-[96px]">
              <span className="sr-only">Acts</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rubrics.map((rubric) => (
            <Tr key={rubric.id}>
              <Td>
                <bdi className="font-medium">{rubric.name || rubric.id}</bdi>
                <span className="ml-2.5 text-muted text-secondary">{rubric.description}</span>
              </Td>
              <Td kind="muted">
                <State tone={rubric.enabled ? "done" : "waiting"} word={rubric.enabled ? "on" : "off"} />
              </Td>
              <Td kind="figure" className="@max-[680px]:hidden">
                {rubric.config?.criteria?.length ?? "–"}
              </Td>
              <Td kind="support" className="max-sm:hidden">
                <Ago at={rubric.updated_at} />
              </Td>
              <Td className="text-right">
                <Button size="small" variant="quiet" className="-my-1" onClick={() => setAsked(rubric)}>
                  Delete…
                </Button>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {more && (
        <Button variant="quiet" size="small" className="m-2" onClick={more.read} loading={more.isReading}>
          {more.error === null ? "Show more" : "They could not be read. Try again"}
        </Button>
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        onOpenChange={(isOpen) => {
          if (isOpen) return;
          setAsked(null);
          remove.reset();
        }}
        title={`Delete ${asked?.name ?? "the rubric"}?`}
        consequence="It stops running at once and disappears from this list; that cannot be undone. Results that it gave stay with their conversations and still count."
        action="Delete rubric"
        nameToType={asked?.name ?? ""}
        isPending={remove.isPending}
        error={
          remove.error &&
          (isNotFound(remove.error)
            ? "It is not there any more: somebody deleted it already."
            : describeError(remove.error).what)
        }
        onConfirm={() => asked && remove.mutate(asked.id, { onSuccess: () => setAsked(null) })}
      />
    </>
  );
}
