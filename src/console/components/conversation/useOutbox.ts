import { useCallback, useEffect, useState } from "react";
import { newId } from "../../api/ids.ts";
import { useApi } from "../api-context.tsx";

/** A message that waits for the end of the turn. `id` is its idempotency key. */
export interface Queued {
  readonly id: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const read = (value: unknown): readonly Queued[] =>
  Array.isArray(value)
    ? value.filter(
        (one): one is Queued =>
          typeof one?.id === "string" && typeof one.text === "string" && typeof one.at === "number",
      )
    : [];

/** The messages that wait in one conversation, in order; kept in this browser, so that a reload does not lose them. */
export function useOutbox(interactionId: string) {
  const { drafts, clock } = useApi();
  const place = `outbox ${interactionId}`;
  const [queued, setQueued] = useState(() => read(drafts.get(place)));
  useEffect(() => {
    void drafts.load().then(() => setQueued((now) => (now.length > 0 ? now : read(drafts.get(place)))));
  }, [drafts, place]);
  const keep = useCallback(
    (change: (now: readonly Queued[]) => readonly Queued[]) => {
      const next = change(read(drafts.get(place)));
      setQueued(next);
      void (next.length === 0 ? drafts.remove(place) : drafts.set(place, next));
    },
    [drafts, place],
  );
  const add = useCallback(
    (text: string) => keep((now) => [...now, { id: newId(), text, at: clock.now() }]),
    [keep, clock],
  );
  const remove = useCallback((id: string) => keep((now) => now.filter((one) => one.id !== id)), [keep]);
  return { queued, add, remove };
}
