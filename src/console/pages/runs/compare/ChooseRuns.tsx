import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import type { CompareSearch } from "./search.ts";

type Props = {
  search: CompareSearch;
  title: string;
  /** Why there are not two runs yet. */
  why: string;
  onCompare: (runs: { a: string; b: string }) => void;
};

/** Two run ids, where the address does not name two runs. */
export function ChooseRuns({ search, title, why, onCompare }: Props) {
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
