import { type RefObject, useEffect, useState } from "react";
import type { ConversationLogHandle } from "../../components/conversation/ConversationLog.tsx";
import type { Conversation } from "../../components/conversation/model.ts";
import type { Found } from "../../components/conversation/useFind.ts";
import type { Shortcut } from "../../components/frame/shortcuts.ts";

type Props = {
  conversation: Conversation;
  found: Found;
  log: RefObject<ConversationLogHandle | null>;
  /** The turn in view. */
  turn: number;
};

/** Ways through a conversation: from turn to turn, to the next tool call, to the next error, from hit to hit. */
export function useJumps({ conversation, found, log, turn }: Props) {
  const { turns, calls, errors } = conversation;
  const [hit, setHit] = useState(0);
  const [last, setLast] = useState(-1);
  const show = (row: number | undefined) => {
    if (row === undefined) return;
    setLast(row);
    log.current?.show(row);
  };
  const from = last >= 0 && conversation.rows[last]?.turn === turn ? last : (turns[turn - 1]?.row ?? 0) - 1;
  const next = (rows: readonly number[]) => show(rows.find((row) => row > from) ?? rows[0]);

  const { text, rows } = found;
  // A new search begins at its first hit.
  const [searched, setSearched] = useState(text);
  if (searched !== text) {
    setSearched(text);
    setHit(0);
  }
  const currentHit = rows[Math.min(hit, rows.length - 1)];
  useEffect(() => {
    if (currentHit !== undefined) log.current?.show(currentHit);
  }, [currentHit, log]);

  const shortcuts: readonly Shortcut[] = [
    { keys: "]", does: "Next turn", run: () => show(turns[turn]?.row ?? turns.at(-1)?.row) },
    { keys: "[", does: "Turn before", run: () => show(turns[Math.max(0, turn - 2)]?.row) },
    { keys: "t", does: "Next tool call", run: () => next(calls) },
    { keys: "e", does: "Next error", run: () => next(errors) },
  ];
  return {
    shortcuts,
    currentHit,
    toHit: (by: 1 | -1) => {
      if (rows.length > 0) setHit((now) => (Math.min(now, rows.length - 1) + by + rows.length) % rows.length);
    },
    count: found.isSearching
      ? "…"
      : rows.length === 0
        ? "none"
        : `${Math.min(hit, rows.length - 1) + 1} of ${rows.length}`,
  };
}
