import { useEffect, useRef, useState } from "react";
import type { RunLog } from "../../workers/run-log.ts";
import { readLine } from "../log/line.ts";
import { useLogLength } from "../log/useLogLength.ts";
import { type NodeSpan, Timeline } from "./timeline.ts";

export interface ReadTimeline {
  readonly spans: readonly NodeSpan[];
  readonly leftOut: number;
}

/** Lines read in one go: a few milliseconds, so that typing and scrolling are never held up. */
const piece = 4_000;

/** The nodes of a log, read on as lines come, in pieces between other work. A replaced log is read anew. */
export function useTimeline(log: RunLog): ReadTimeline {
  const length = useLogLength(log);
  const reading = useRef<{ log: RunLog; replacements: number; timeline: Timeline }>(null);
  const [read, setRead] = useState<ReadTimeline>({ spans: [], leftOut: 0 });

  // biome-ignore lint/correctness/useExhaustiveDependencies: more lines are what to read on
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = () => {
      let now = reading.current;
      if (now?.log !== log || now.replacements !== log.replacements) {
        now = { log, replacements: log.replacements, timeline: new Timeline() };
        reading.current = now;
      }
      const { timeline } = now;
      timeline.add(log.getLines(timeline.length, piece).map(readLine));
      setRead({ spans: timeline.spans, leftOut: timeline.leftOut });
      if (timeline.length < log.length) timer = setTimeout(step, 0);
    };
    step();
    return () => clearTimeout(timer);
  }, [log, length]);
  return read;
}
