import { useEffect, useMemo, useState } from "react";
import { type Conversation, createConversationModel, type MessageIn } from "./model.ts";

/** So many messages are made into rows at once on any device. */
const atOnce = 2_000;
const sliceMs = 16;

/**
 * The rows of messages. Those of a very long conversation are made in slices that leave the page usable (C-09): null
 * until the first time, then the rows from before until the new ones are all there.
 */
export function useRows(messages: readonly (MessageIn | null)[] | null | undefined): Conversation | null {
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
