import { useApi } from "../../lib/api.tsx";
import { useKeptValue } from "../../lib/drafts/useDraft.ts";
import { isObject } from "../../lib/json/json-value.ts";

/** A message that was sent and of which no answer came, and how many turns there were before it. */
interface Unanswered {
  readonly message: string;
  readonly turns: number;
}

function read(kept: unknown): Unanswered | null {
  if (!isObject(kept)) return null;
  const { message, turns } = kept;
  return typeof message === "string" && typeof turns === "number" ? { message, turns } : null;
}

/** What was sent to a conversation last, until it is answered. Kept, so that after a reload it is not taken for a draft. */
export function useUnanswered(interactionId: string) {
  const { drafts } = useApi();
  const place = `unanswered ${interactionId}`;
  return {
    unanswered: useKeptValue(place, read),
    note: (sent: Unanswered) => void drafts.set(place, sent),
    forget: () => void drafts.remove(place),
  };
}
