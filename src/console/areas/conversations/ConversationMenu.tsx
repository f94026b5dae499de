import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { agentStatus } from "../../../contract/interactions.ts";
import { ownerOf } from "../../api/connection.ts";
import { AdminItems } from "../../lib/admin-links/AdminLinks.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlCopied, curlOfCall } from "../../lib/curl.ts";
import { failedToast, NotDone } from "../../lib/failure/Failure.tsx";
import { KeepItem } from "../../lib/keep/Keep.tsx";
import type { Keep } from "../../lib/keep/useKeep.ts";
import { shownName } from "../../lib/shownName.ts";
import { useGoneSignal } from "../../lib/useGoneSignal.ts";
import { useCopy } from "../../ui/CopyButton.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { MenuItem, MenuLabel, MoreMenu } from "../../ui/Menu.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { conversationMutations, sendProblem } from "./mutations.ts";
import { useOutbox } from "./outbox.ts";
import { interactionQueries } from "./queries.ts";
import type { ConversationFacts } from "./useConversation.ts";

type Props = { facts: ConversationFacts; agentId: string; interactionId: string };

/** What can be done with a conversation beside continuing it. */
export function ConversationMenu({
  keep,
  missing,
  ...props
}: Props & {
  keep: Keep | null /** The role that the person lacks for all but reading it. */;
  missing: string | undefined;
}) {
  const [isAsked, setAsked] = useState(false);
  const gone = useGoneSignal();
  const canDelete = useCan("conversation_delete");
  const api = useApi();
  const copy = useCopy();
  const { interactionId } = props;
  const copyCurl = () =>
    copy(
      curlOfCall(api, agentStatus, { params: { interaction_id: interactionId }, query: ownerOf(api) }),
      curlCopied,
    );
  return (
    <>
      <MoreMenu variant="plain">
        {keep && <KeepItem keep={keep} />}
        <AdminItems kind="conversation" id={interactionId} />
        <MenuItem onSelect={() => void copyCurl()}>Copy as curl</MenuItem>
        {missing !== undefined && <MenuLabel>Keep, delete: {missing}</MenuLabel>}
        {canDelete && missing === undefined && (
          <MenuItem isDanger onSelect={() => setAsked(true)}>
            Delete conversation…
          </MenuItem>
        )}
      </MoreMenu>
      {isAsked && <DeleteConversation {...props} gone={gone} onClose={() => setAsked(false)} />}
    </>
  );
}

/** Long enough to notice, and to come back for. */
const undoMs = 20_000;

type DeleteProps = Props & {
  /** Its signal aborts when the page of the conversation goes; the dialog alone can be closed before. */
  gone: () => AbortSignal;
  onClose: () => void;
};

/** Asks before a conversation is deleted, says what goes and what stays, and offers to bring it back. */
function DeleteConversation({ facts, agentId, interactionId, gone, onClose }: DeleteProps) {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toaster = useToast();
  const remove = useMutation(conversationMutations.remove(api));
  const restore = useMutation(conversationMutations.restore(api));
  const { outbox, waiting } = useOutbox();
  const queued = waiting.get(interactionId) ?? [];
  const name = shownName(facts.name ?? interactionId);
  const to = {
    to: "/agents/$agentId/conversations/$interactionId",
    params: { agentId, interactionId },
  } as const;

  const undo = async (known: ConversationFacts["known"]) => {
    try {
      await restore.mutateAsync(interactionId);
      if (known) await api.conversations.take([known]);
      await navigate(to);
    } catch (error) {
      toaster.show(failedToast("The conversation could not be restored", error));
    }
  };
  const shown = useGoneSignal();
  const act = async () => {
    const [left, closed] = [gone(), shown()];
    try {
      await remove.mutateAsync(interactionId);
    } catch (error) {
      // Else the dialog says it.
      if (closed.aborted) toaster.show(failedToast("The conversation was not deleted", error));
      return;
    }
    const known = api.conversations.find(interactionId);
    // First away from its page, which would note it again; whoever went elsewhere meanwhile stays there.
    if (!left.aborted) await navigate({ to: "/agents/$agentId", params: { agentId } });
    for (const one of queued) void outbox.remove(interactionId, one.id);
    if (known) await api.conversations.forget(known.id);
    for (const read of [interactionQueries.session, interactionQueries.status])
      client.removeQueries({ queryKey: read(api, interactionId).queryKey });
    toaster.show({
      tone: "done",
      title: "Conversation deleted",
      detail: name,
      duration: undoMs,
      action: {
        label: "Undo",
        altText: "Restore the conversation. It is kept for a day.",
        onAct: () => void undo(known),
      },
    });
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${name}”?`}
      consequence={`${whatGoes(facts)} ${whatStays(facts)} You can undo this right afterwards; after a day it is erased.`}
      disabledReason={facts.isMoving ? "The agent is working: stop the turn first" : undefined}
      action="Delete conversation"
      isPending={remove.isPending}
      onConfirm={() => void act()}
      error={
        remove.isError && (
          <NotDone error={remove.error} title="The conversation was not deleted">
            {sendProblem(remove.error)}
          </NotDone>
        )
      }
    >
      {queued.length > 0 && (
        <p>
          {queued.length === 1
            ? "The queued message will not be sent."
            : `The ${queued.length} queued messages will not be sent.`}
        </p>
      )}
    </ConfirmDialog>
  );
}

function whatGoes({ conversation, known }: ConversationFacts): string {
  const turns = conversation.turns.length;
  const messages = turns === 1 ? "Its only turn" : `All ${turns} turns`;
  const forWhom = known?.projectId ? " for everyone in its team" : " for everyone who can read it";
  return `${messages} and the evaluation results are deleted${forWhom}.`;
}

function whatStays({ conversation }: ConversationFacts): string {
  const files = new Set(conversation.files.map((file) => file.name)).size;
  if (files === 0) return "Runs it started stay.";
  return `Its ${files === 1 ? "artifact" : `${files} artifacts`} and the runs it started stay.`;
}
