import type { Description } from "../../../contract/states.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDuration, parseTime } from "../../lib/time/format.ts";
import { StatePill } from "../../ui/StatePill.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import type { Span } from "./model.ts";

type Props = { described: Description; since: number | null; isStopRequested?: boolean };

/** The tinted state of a conversation and, while the agent works, for how long; ticking. Times in ms. */
export function ConversationPill({ described, since, isStopRequested = false }: Props) {
  const moves = !described.terminal;
  return (
    <span className="flex shrink-0 items-center gap-2.5">
      {isStopRequested && moves ? (
        <StatePill tone="stopping" word="Stop requested…" />
      ) : (
        <StatePill tone={described.tone} word={described.title} />
      )}
      {moves && since !== null && <Elapsed since={since} />}
    </span>
  );
}

/** How long something took, or, where `isTicking`, takes so far; nothing where its times are not known. */
export function Took({ span, isTicking }: { span: Span; isTicking: boolean }) {
  const start = parseTime(span.start);
  const end = parseTime(span.end);
  if (start === null) return null;
  if (end === null) return isTicking ? <Elapsed since={start} /> : null;
  return (
    <span className="tabular-nums" title="How long it took">
      <VisuallyHidden>took </VisuallyHidden>
      {formatDuration(end - start, { fine: true })}
    </span>
  );
}

/** How long since a moment, ticking. */
export function Elapsed({ since }: { since: number }) {
  const now = useNow();
  return (
    <span className="font-medium text-state-running-fg tabular-nums">
      {formatDuration(Math.max(0, now - since))}
    </span>
  );
}
