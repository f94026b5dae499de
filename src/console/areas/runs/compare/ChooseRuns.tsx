import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import type { RunRow } from "../run-row.ts";
import { PickRun } from "./PickRun.tsx";
import type { CompareSearch } from "./search.ts";

type Props = {
  search: CompareSearch;
  title: string;
  /** Why there are not two runs yet. */
  why: string;
  /** Runs of B's flow that may be A, newest first. */
  others?: readonly RunRow[];
  onCompare: (runs: { a: string; b: string }) => void;
};

/** Two runs by their ids, or one of the same flow, where the address does not name two. */
export function ChooseRuns({ search, title, why, others = [], onCompare }: Props) {
  const [a, setA] = useState(search.a ?? "");
  const [b, setB] = useState(search.b ?? "");
  const isReady = a.trim() !== "" && b.trim() !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onCompare({ a: a.trim(), b: b.trim() });
  };
  return (
    <EmptyState title={title}>
      {why}
      {others.length > 0 && (
        <p className="mt-3">
          <PickRun
            label="Choose run A"
            word="Choose a run of this flow"
            runs={others}
            onPick={(runId) => onCompare({ a: runId, b: b.trim() })}
          />
        </p>
      )}
      <form onSubmit={submit} className="mt-4 flex flex-col items-start gap-3 text-default">
        <Field label="Run A, such as the good one" className="w-80 max-w-full">
          <Input
            isMono
            placeholder="run id"
            value={a}
            onChange={(event) => setA(event.target.value)}
            spellCheck={false}
          />
        </Field>
        <Field label="Run B" className="w-80 max-w-full">
          <Input
            isMono
            placeholder="run id"
            value={b}
            onChange={(event) => setB(event.target.value)}
            spellCheck={false}
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          disabledReason={isReady ? undefined : "Two run ids are needed"}
        >
          Compare
        </Button>
      </form>
    </EmptyState>
  );
}
