import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { Input } from "../../ui/Input.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { evaluationMutations } from "./queries.ts";

/** Deletes an evaluation by its id, for a service that does not list them: the act that the interface itself has (§4.13). */
export function DeleteById() {
  const toaster = useToast();
  const remove = useMutation(evaluationMutations.remove(useApi()));
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState<string | null>(null);
  const id = typed.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id !== "") setAsked(id);
  };
  const close = () => {
    setAsked(null);
    remove.reset();
  };
  return (
    <div className="border-t px-edge-left py-2.5 text-muted text-secondary">
      {isOpen ? (
        <form onSubmit={submit} className="flex max-w-text gap-2">
          <Input
            isMono
            autoFocus
            aria-label="Evaluation id"
            placeholder="evaluation id"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button
            type="submit"
            disabledReason={id === "" ? "Paste an evaluation id first" : undefined}
            reasonAs="title"
          >
            Delete…
          </Button>
        </form>
      ) : (
        <>
          This service does not list evaluations.{" "}
          <button
            type="button"
            className="hit font-medium text-accent hover:text-accent-hover"
            onClick={() => setOpen(true)}
          >
            Delete one by its id
          </button>
        </>
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        onOpenChange={(isNowOpen) => !isNowOpen && close()}
        title="Delete this evaluation?"
        consequence="It stops running at once, and that cannot be undone. Results that it gave stay with their conversations and still count."
        action="Delete evaluation"
        nameToType={asked ?? ""}
        isPending={remove.isPending}
        error={
          remove.error && (
            <p role="alert" className="text-state-failed-fg">
              {isNotFound(remove.error)
                ? "There is no such evaluation for your key, or it was deleted already."
                : describeError(remove.error).what}
            </p>
          )
        }
        onConfirm={() =>
          asked !== null &&
          remove.mutate(asked, {
            onSuccess: () => {
              toaster.show({ tone: "stopped", title: "Evaluation deleted", detail: "Its results stay." });
              setTyped("");
              close();
            },
          })
        }
      />
    </div>
  );
}
