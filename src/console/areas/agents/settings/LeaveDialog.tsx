import { useBlocker } from "@tanstack/react-router";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import type { EditState } from "./edit-store.ts";

type Props = {
  agentId: string;
  edit: EditState;
  onDiscard: () => void;
};

/**
 * Asks before unsaved changes are left behind. The browser's own question comes only where they would be lost: a draft
 * that is kept is there again after closing the tab.
 */
export function LeaveDialog({ agentId, edit, onDiscard }: Props) {
  const hasDraft = edit.draft !== null;
  const isLost = hasDraft && edit.keeping === "lost";
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) =>
      hasDraft &&
      next.pathname !== `/agents/${encodeURIComponent(agentId)}/settings` &&
      next.pathname !== `/agents/${agentId}/settings` &&
      next.pathname !== "/sign-in",
    enableBeforeUnload: () => isLost,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog
      isOpen
      isNarrow
      onOpenChange={(isOpen) => !isOpen && blocker.reset()}
      title="Leave without saving?"
      description={
        isLost
          ? "This browser keeps nothing: what you changed would be lost."
          : "Nothing was sent yet. What you changed stays on this device as a draft, and is here when you come back."
      }
      footer={
        <>
          <Button
            variant="danger"
            onClick={() => {
              onDiscard();
              blocker.proceed();
            }}
          >
            Discard and leave
          </Button>
          {!isLost && <Button onClick={blocker.proceed}>Leave, keep the draft</Button>}
          <Button variant="primary" onClick={blocker.reset}>
            Stay
          </Button>
        </>
      }
    />
  );
}
