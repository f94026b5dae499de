import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { jsonStart } from "../../lib/json/measure.ts";
import type { Shortcut } from "../../lib/page/shortcuts.ts";
import type { Row } from "./message-rows.ts";
import type { Conversation } from "./model.ts";
import type { ConversationLogHandle } from "./useConversationScroll.ts";

/** What a search found: the rows that have it, in order. */
export interface Found {
  readonly text: string;
  readonly rows: readonly number[];
  /** Not all rows were looked at yet. */
  readonly isSearching: boolean;
}

const sliceMs = 8;
const nothing: Found = { text: "", rows: [], isSearching: false };

/** Searches all rows, also those that are not on the page, in slices that leave the page usable. */
export function useFind(rows: readonly Row[], text: string): Found {
  const wanted = text.trim();
  const texts = useMemo(() => new WeakMap<Row, string>(), []);
  const [found, setFound] = useState(nothing);
  const last = useRef(wanted);
  useEffect(() => {
    if (wanted === "") {
      setFound(nothing);
      return;
    }
    let timer: ReturnType<typeof setTimeout>;
    let at = 0;
    const hits: number[] = [];
    const small = wanted.toLowerCase();
    const slice = () => {
      const until = performance.now() + sliceMs;
      for (; at < rows.length && performance.now() < until; at += 1) {
        const row = rows[at];
        if (!row) continue;
        const searched = texts.get(row) ?? searchTextOf(row);
        texts.set(row, searched);
        if (searched.includes(small)) hits.push(at);
      }
      const isSearching = at < rows.length;
      // More rows of the same search must not blink through "none".
      if (!isSearching || last.current !== wanted) setFound({ text: wanted, rows: [...hits], isSearching });
      last.current = wanted;
      if (isSearching) timer = setTimeout(slice, 0);
    };
    timer = setTimeout(slice, 0);
    return () => clearTimeout(timer);
  }, [rows, wanted, texts]);
  return wanted === "" ? nothing : found;
}

/** So much of each argument and result is searched. */
const searchedOfValue = 200_000;

/** Everything that a row shows or holds folded, in small letters. */
function searchTextOf(row: Row): string {
  const { body } = row;
  switch (body.kind) {
    case "said":
    case "text":
    case "reasoning":
    case "notice":
      return body.text.toLowerCase();
    case "call":
      return [body.call.server ?? "", body.call.name, textOf(body.call.args), textOf(body.call.result)]
        .join("\n")
        .toLowerCase();
    case "file":
      return (body.name ?? "").toLowerCase();
    case "error":
      return textOf(body.error).toLowerCase();
    case "raw":
      return textOf(body.value).toLowerCase();
    case "nothing":
      return "";
  }
}

/** What is searched of an argument, a result, an error: a text as it is, everything else as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : jsonStart(value, searchedOfValue);
}

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
