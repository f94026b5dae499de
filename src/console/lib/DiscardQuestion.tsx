import { useState } from "react";
import { Button } from "../ui/Button.tsx";

/**
 * Closing a dialog asks first where something would be lost, in the place of the dialog's buttons. A second Escape takes
 * the question back: only its own button throws away.
 */
export function useDiscardQuestion(isDirty: boolean, onClose: () => void) {
  const [isAsking, setAsking] = useState(false);
  if (isAsking && !isDirty) setAsking(false);
  return {
    isAsking,
    close: () => (isDirty ? setAsking(!isAsking) : onClose()),
    keep: () => setAsking(false),
  };
}

type Props = { action: string; onKeep: () => void; onDiscard: () => void };

/** The two answers to the question. */
export function DiscardButtons({ action, onKeep, onDiscard }: Props) {
  return (
    <>
      <Button variant="quiet" onClick={onKeep}>
        Keep editing
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        {action}
      </Button>
    </>
  );
}
