import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { NotDone } from "../../../lib/failure/Failure.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { fullName } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { PersonPicker } from "../PersonPicker.tsx";
import type { PersonRow } from "../queries.ts";
import { movableWords, SharedWith, useOwned } from "./Owned.tsx";

type Props = { person: PersonRow; isMe: boolean; onClose: () => void };

/** Says what stops and what the person owns, lets that be handed over first, and deactivates them. */
export function DeactivateDialog({ person, isMe, onClose }: Props) {
  const api = useApi();
  const toaster = useToast();
  const [hands, setHands] = useState(false);
  const [to, setTo] = useState<string>();
  const { read, kinds } = useOwned(person.id);
  const move = useMutation(adminMutations.handOver(api));
  const update = useMutation(adminMutations.updatePerson(api));
  const name = fullName(person);
  const movable = movableWords(kinds);
  const teams = (person.teams ?? []).flatMap((team) => (team?.id ? [shownName(team.name || team.id)] : []));
  const confirm = async () => {
    move.reset();
    update.reset();
    try {
      // First: should the rest fail, it can be tried again, and this then moves nothing more.
      if (hands && to !== undefined) await move.mutateAsync({ params: { user_id: person.id }, body: { to } });
      const version = person.version ?? null;
      await update.mutateAsync({ params: { user_id: person.id }, body: { active: false, version } });
    } catch {
      return; // the dialog says which of them failed
    }
    toaster.show({ tone: "stopped", title: `${name} deactivated` });
    onClose();
  };
  const isBusy = move.isPending || update.isPending;
  return (
    <ConfirmDialog
      onClose={() => !isBusy && onClose()}
      title={
        <>
          Deactivate <bdi>{name}</bdi>?
        </>
      }
      consequence={
        <>
          Their sessions end and unused sign-in links stop working; API keys and links they shared stop at the
          next request. What is running goes on to its end. You can reactivate them at any time: keys, teams
          and shared links come back, sessions don’t.
        </>
      }
      action="Deactivate"
      isPending={isBusy}
      disabledReason={hands && to === undefined ? "Choose who gets it first" : undefined}
      onConfirm={() => void confirm()}
      error={
        move.error !== null ? (
          <NotDone error={move.error} title="Nothing was handed over, and no one deactivated" />
        ) : (
          update.error !== null && (
            <NotDone
              error={update.error}
              title={move.isSuccess ? "Handed over, but not deactivated" : `${name} was not deactivated`}
            />
          )
        )
      }
    >
      {isMe && (
        <p className="font-medium text-state-failed-fg">This is you: you will be signed out everywhere.</p>
      )}
      <p>
        {read.data === undefined
          ? read.isError
            ? "What they own could not be loaded."
            : "Counting what they own…"
          : movable.length === 0
            ? "They own nothing that could be handed over."
            : `They alone own ${joinNames(movable)}, which no one can use while they are deactivated.`}
      </p>
      <SharedWith id={person.id} />
      {teams.length > 0 && (
        <p>
          They see what {joinNames(teams)} {teams.length === 1 ? "has" : "have"}, until then.
        </p>
      )}
      {movable.length > 0 && (
        <Checkbox
          label="Hand it over to someone else first"
          checked={hands}
          onChange={(event) => setHands(event.target.checked)}
        />
      )}
      {hands && <PersonPicker legend="To" value={to} onChange={setTo} without={new Set([person.id])} />}
    </ConfirmDialog>
  );
}
