import { type FormEvent, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { useApprove } from "./useApprove.ts";

type Props = {
  approve: ReturnType<typeof useApprove>;
  /** The source that the address names. */
  sourceId?: string | undefined;
};

/** Approves a source by its id, for a service that does not list them: the one act that the interface itself has (§4.12). */
export function ApproveById({ approve, sourceId = "" }: Props) {
  const [id, setId] = useState(sourceId);
  const wanted = id.trim();
  const result = approve.results.find((one) => one.id === wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== "") void approve.run([wanted]);
  };
  return (
    <form onSubmit={submit} className="flex max-w-text flex-col items-start gap-3 p-5">
      <p className="text-muted">
        This service does not list knowledge sources. A draft whose id you were given can be approved here:
        indexing then starts at once and charges credits, what it will cost is not told, and it cannot be
        undone.
      </p>
      <Field label="Id of the source" className="w-full">
        <Input value={id} onChange={(event) => setId(event.target.value)} className="font-mono" />
      </Field>
      {result && (
        <Notice
          kind={result.problem === null ? "waits" : "failed"}
          look="box"
          title={result.problem === null ? "Approved" : "It was not approved"}
        >
          {result.problem ?? "It is being indexed now."}
        </Notice>
      )}
      <Button
        type="submit"
        loading={approve.open.length > 0}
        disabledReason={wanted === "" ? "it needs an id" : undefined}
      >
        Approve
      </Button>
    </form>
  );
}
