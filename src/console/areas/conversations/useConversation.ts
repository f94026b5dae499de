import { useEffect, useMemo, useState } from "react";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { onceDrawn } from "../../lib/history/registry.ts";
import { parseTime } from "../../lib/time/format.ts";
import { useStore } from "../../lib/useStore.ts";
import type { MessageIn } from "./message-rows.ts";
import { type Conversation, createConversationModel } from "./model.ts";
import { interactionQueries, useTurn } from "./queries.ts";

const empty: Conversation = { rows: [], turns: [], files: [], errors: [], calls: [] };

/** All that can be known of a conversation. */
export function useConversation(interactionId: string) {
  const api = useApi();
  const turn = useTurn(interactionId);
  const { live, core, session, status, needsCore, isLive, state, described, isMoving } = turn;
  const known = useStore(api.conversations.list, () => api.conversations.find(interactionId));

  const fromCore = useMemo(() => messagesOf(status), [status]);
  const messages = useLastMessages(session?.messages ?? fromCore);
  const made = useRows(messages);
  const conversation = made ?? empty;

  const agentId = session?.agent_id ?? status?.gummie_id ?? known?.agentId ?? null;
  const agentName = session?.agent_name ?? known?.agentName ?? null;
  const name = session?.name ?? known?.name ?? conversation.turns[0]?.words ?? null;
  const createdTs = session?.created_at ?? status?.created_ts ?? known?.last?.createdTs ?? null;

  const hasNoAnswer = described.tone === "failed" || described.tone === "stopped";
  const query = isLive || !needsCore ? live : core;

  const isGone = isDeleted(query.error, isLive);
  const knownId = known?.id;
  useEffect(() => {
    if (isGone) {
      if (knownId !== undefined) void api.conversations.forget(knownId);
    } else if (state !== null) {
      return onceDrawn(() =>
        api.conversations.saw(interactionId, { agentId, agentName, name, last: { state, createdTs } }),
      );
    }
  }, [api, interactionId, agentId, agentName, name, state, createdTs, isGone, knownId]);

  const queryKey = (
    isLive || !needsCore
      ? interactionQueries.session(api, interactionId)
      : interactionQueries.status(api, interactionId)
  ).queryKey as readonly unknown[];
  return {
    query,
    queryKey,
    damage: query.data?.damage ?? [],
    isRead: made !== null && (session != null || status !== undefined),
    /** Messages appear while the agent works. */
    isLive,
    state,
    described,
    isMoving,
    errorMessage: hasNoAnswer ? (status?.error_message ?? null) : null,
    /** The last turn failed or was stopped: what it was asked can be asked again. */
    hasNoAnswer,
    ...askedLast(messages, known?.asked ?? null),
    /** How many get a free place before its turn, where that waits for one. */
    placesBefore: session?.places_before ?? null,
    /** Why the turn failed is still being read. */
    isReasonPending: needsCore && core.isPending,
    conversation,
    agentId,
    agentName,
    name,
    createdTs,
    creator: session?.creator ?? null,
    usage: session?.usage ?? null,
    type: session?.type ?? null,
    /** Whether retention never deletes it; undefined where the service does not say. */
    kept: session?.kept,
    /** What it is a copy of, and its copies; undefined where the service does not say. */
    copyOf: session?.copy_of,
    copies: session?.copies,
    known,
    /** When the turn began that goes on now, in ms by the service's clock; null where that is not known. */
    turnBeganAt: isMoving ? turnBeganAt(messages, isLive, known?.asked?.at ?? null, createdTs) : null,
  };
}

export type ConversationFacts = ReturnType<typeof useConversation>;

/** The core's messages; with none, its response is the one thing that was said. Null while the agent works. */
function messagesOf(
  status: { readonly messages?: unknown; readonly response?: string | null | undefined } | undefined,
): readonly (MessageIn | null)[] | null {
  if (!status) return null;
  const messages = (status.messages ?? null) as readonly (MessageIn | null)[] | null;
  if (messages && messages.length > 0) return messages;
  if (status.response) return [{ id: "response", role: "assistant", content: status.response }];
  return messages;
}

/** The messages of the last answer that had some: with the core alone a turn in progress hides them. */
function useLastMessages(messages: readonly (MessageIn | null)[] | null | undefined) {
  const [last, setLast] = useState(messages);
  if (messages != null && messages !== last) setLast(messages);
  return messages ?? last;
}

/** So many messages are made into rows at once on any device. */
const atOnce = 2_000;
const sliceMs = 16;

/**
 * The rows of messages. Those of a very long conversation are made in slices that leave the page usable (C-09): null
 * until the first time, then the rows from before until the new ones are all there.
 */
function useRows(messages: readonly (MessageIn | null)[] | null | undefined): Conversation | null {
  const make = useMemo(createConversationModel, []);
  const list = messages ?? none;
  // What is new of a long one is most often little, and is made at once, too.
  const now = useMemo(() => (list.length <= atOnce ? make(list) : make(list, stopwatch())), [make, list]);
  const [last, setLast] = useState(now);
  if (now !== null && now !== last) setLast(now);
  useEffect(() => {
    if (now !== null) return;
    let timer: ReturnType<typeof setTimeout>;
    const slice = () => {
      const made = make(list, stopwatch());
      if (made) setLast(made);
      else timer = setTimeout(slice);
    };
    timer = setTimeout(slice);
    return () => clearTimeout(timer);
  }, [make, list, now]);
  return now ?? last;
}

const none: readonly null[] = [];

function stopwatch(): () => boolean {
  const until = performance.now() + sliceMs;
  return () => performance.now() > until;
}

/** The service says that there is none (any more), and not merely that it has no such address. */
function isDeleted(error: unknown, isLive: boolean): boolean {
  return (
    isNotFound(error) && (error.code === "interaction_not_found" || (isLive && error.code === "not_found"))
  );
}

/** What was kept of a longer message would not be the same message. */
const mostAsked = 20_000;

/**
 * The person's newest message: the one that the service has, unless a later one was sent from here that it does not show
 * (yet). `askedText` is null where the whole of it is not known.
 */
function askedLast(
  messages: readonly (MessageIn | null)[] | null | undefined,
  asked: { readonly text: string; readonly at: number } | null,
): { askedId: string | null; askedText: string | null } {
  const last = messages?.findLast((one) => one?.role === "user") ?? null;
  const text = last === null ? null : textOf(last);
  const at = parseTime(last?.timestamp);
  const isLater = asked !== null && asked.text !== text && (text === null || (at !== null && asked.at > at));
  if (!isLater) return { askedId: last?.id || null, askedText: text };
  return { askedId: null, askedText: asked.text.length < mostAsked ? asked.text : null };
}

function textOf({ content, parts }: MessageIn): string | null {
  if (content) return content;
  const texts = (parts ?? []).flatMap((part) => (part?.type === "text" && part.text ? [part.text] : []));
  return texts.length > 0 ? texts.join("\n\n") : null;
}

function turnBeganAt(
  messages: readonly (MessageIn | null)[] | null | undefined,
  isLive: boolean,
  askedAt: number | null,
  createdTs: string | null,
): number | null {
  if (isLive) {
    const asked = messages?.findLast((one) => one?.role === "user");
    return parseTime(asked?.timestamp) ?? parseTime(createdTs);
  }
  // The core tells when the conversation began, which is the turn's beginning only for the first one.
  return askedAt ?? (messages && messages.length > 0 ? null : parseTime(createdTs));
}
