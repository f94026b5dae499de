import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Ago } from "../../../lib/time/Time.tsx";
import { StateShape } from "../../../ui/StateShape.tsx";
import { toneWord } from "../../../ui/tone.ts";
import { useConversations } from "../useConversations.ts";

const none = {};

/** The newest conversation with an agent, asked for once its row comes into view. */
export function LastConversation({ agentId }: { agentId: string }) {
  const [place, isSeen] = useSeen();
  return (
    <span ref={place}>{isSeen ? <Newest agentId={agentId} /> : <span className="text-faint">…</span>}</span>
  );
}

function Newest({ agentId }: { agentId: string }) {
  const { lines, isFirstRead, query } = useConversations(agentId, none, 5);
  // One in which the agent works says more than one that was begun later.
  const line = lines.find((one) => one.described.tone === "running") ?? lines[0];
  if (isFirstRead)
    return query.isError ? (
      <span className="text-faint">not read</span>
    ) : (
      <span className="text-faint">…</span>
    );
  if (!line) return <span className="text-faint">none yet</span>;
  const { tone, word } = line.described;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId, interactionId: line.id }}
      onClick={(event) => event.stopPropagation()}
      title={line.name ?? undefined}
      className="hit inline-flex items-baseline gap-2"
    >
      <StateShape tone={tone} label={word} className="self-center" />
      <span className={tone === "done" ? "" : `${toneWord[tone]} font-medium`}>
        {tone === "running" && `${word}, `}
        <Ago at={line.createdAt} suffix={tone === "running" ? "" : " ago"} />
      </span>
    </Link>
  );
}

/** Whether an element has come near the view; true at once where the browser cannot tell. */
function useSeen() {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(typeof IntersectionObserver === "undefined");
  useEffect(() => {
    const element = place.current;
    if (isSeen || !element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: "100px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isSeen]);
  return [place, isSeen] as const;
}
