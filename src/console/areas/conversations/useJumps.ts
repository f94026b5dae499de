import { type RefObject, useEffect, useState } from "react";
import type { Shortcut } from "../../lib/page/shortcuts.ts";
import type { ConversationLogHandle } from "./ConversationLog.tsx";
import type { Conversation } from "./model.ts";
import type { Found } from "./useFind.ts";

type Props = {
  conversation: Conversation;
  found: Found;
  log: RefObject<ConversationLogHandle | null>;
  /** The turn in view. */
  turn: number;
  /** The part that the address names beside a search, which begins there; undefined for none. */
  part: string | undefined;
};

/** Ways through a conversation: from turn to turn, to the next tool call, to the next error, from hit to hit. */
export function useJumps({ conversation, found, log, turn, part }: Props) {
  const { turns, calls, errors } = conversation;
  const [hit, setHit] = useState(0);
  const [last, setLast] = useState(-1);
  const show = (row: number | undefined) => {
    if (row === undefined) return;
    setLast(row);
    log.current?.show(row);
  };
  // A jump to a short turn leaves others in the middle of the view, and the end cannot be scrolled beyond: what was jumped
  // to is where the reader is, as long as it can be seen.
  const jumped = () => (last >= 0 && log.current?.isInView(last) ? last : null);
  const toTurn = (by: 1 | -1) => {
    const now = conversation.rows[jumped() ?? -1]?.turn ?? turn;
    show(turns[Math.min(Math.max(now - 1 + by, 0), turns.length - 1)]?.row);
  };
  const next = (rows: readonly number[]) => {
    const from = jumped() ?? (turns[turn - 1]?.row ?? 0) - 1;
    show(rows.find((row) => row > from) ?? rows[0]);
  };

  const { text, rows } = found;
  // A new search begins at its first hit; the one that a link brought, at the part of the link.
  const [searched, setSearched] = useState(text);
  const [begin, setBegin] = useState(part);
  const linked = begin === undefined ? -1 : conversation.rows.findIndex(({ key }) => key === begin);
  const isReached = begin === undefined || rows.includes(linked) || (rows.length > 0 && !found.isSearching);
  if (searched !== text && isReached) {
    setSearched(text);
    setHit(Math.max(0, rows.indexOf(linked)));
    setBegin(undefined);
  }
  const currentHit = searched === text ? rows[Math.min(hit, rows.length - 1)] : undefined;
  useEffect(() => {
    if (currentHit !== undefined) log.current?.show(currentHit);
  }, [currentHit, log]);

  const shortcuts: readonly Shortcut[] = [
    { keys: "]", does: "Next turn", run: () => toTurn(1) },
    { keys: "[", does: "Previous turn", run: () => toTurn(-1) },
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
