import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { FormDialog } from "../../../lib/FormDialog.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { useToast } from "../../../ui/Toast.tsx";
import { fullName, ownedWords } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { PersonPicker } from "../PersonPicker.tsx";
import type { PersonRow } from "../queries.ts";
import { movableWords, useOwned } from "./Owned.tsx";

/** Gives what is a person's own to another: what can be moved, all of it at once. */
export function HandOverDialog({ person, onClose }: { person: PersonRow; onClose: () => void }) {
  const [to, setTo] = useState<string>();
  const toaster = useToast();
  const { read, kinds } = useOwned(person.id);
  const move = useMutation(adminMutations.handOver(useApi()));
  const movable = movableWords(kinds);
  const submit = () =>
    to !== undefined &&
    move.mutate(
      { params: { user_id: person.id }, body: { to } },
      {
        onSuccess: ({ data }) => {
          const moved = (data.moved ?? []).flatMap((one) =>
            one?.kind && one.count ? [ownedWords(one.kind, one.count)] : [],
          );
          toaster.show({
            tone: "done",
            title: moved.length === 0 ? "There was nothing to hand over" : `Handed over ${joinNames(moved)}`,
          });
          onClose();
        },
      },
    );
  return (
    <FormDialog
      onClose={onClose}
      title={
        <>
          Hand over what <bdi>{fullName(person)}</bdi> owns
        </>
      }
      description={handOverAbout}
      action="Hand over"
      failedTitle="Nothing was handed over"
      mutation={move}
      disabledReason={
        read.data !== undefined && movable.length === 0
          ? "There is nothing that can be handed over"
          : to === undefined
            ? "Choose a person first"
            : undefined
      }
      onSubmit={submit}
    >
      {read.isError && read.data === undefined ? (
        <ReadFailure query={read} what="What they own" isInset />
      ) : (
        <p>
          {read.data === undefined
            ? "Counting…"
            : movable.length === 0
              ? "They own no agents, knowledge sources, evaluations or artifacts."
              : `This moves ${joinNames(movable)}.`}
        </p>
      )}
      <PersonPicker legend="To" value={to} onChange={setTo} without={new Set([person.id])} />
    </FormDialog>
  );
}

/** What moves, and what does not. */
const handOverAbout =
  "Agents, knowledge sources, evaluations and artifacts move to the other person. What belongs to a team stays with the team, runs and conversations stay a record of who started them, and flows stay with whom the workspace’s files name. API keys and MCP sign-ins act as their person: they rest, and the other person makes their own.";
