import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { Outbox, type Queued } from "./outbox.ts";

/** The messages that wait for the end of a turn, by conversation, and what can be done with them. */
export function useOutbox(): { outbox: Outbox; waiting: ReadonlyMap<string, readonly Queued[]> } {
  const { drafts, clock } = useApi();
  const outbox = useMemo(() => new Outbox(drafts, clock.now), [drafts, clock]);
  useEffect(() => outbox.open(), [outbox]);
  return { outbox, waiting: useSyncExternalStore(outbox.waiting.subscribe, outbox.waiting.get) };
}
