import { LazyLog } from "@melloware/react-logviewer";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

/**
 * The same log in the simplest other ways, to measure beside ours: each fetches the run, parses it on the page, shows it
 * and goes to its end. `?rival=virtual|logviewer|pre`; a call of `poll()` reads the run again.
 */
declare global {
  interface Window {
    poll: () => Promise<void>;
  }
}

async function readLog(): Promise<readonly string[]> {
  const answer = await fetch("/run");
  const run: { log: readonly string[] } = await answer.json();
  return run.log;
}

function Virtual({ log }: { log: readonly string[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: log.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 12,
  });
  useLayoutEffect(() => rows.scrollToIndex(log.length - 1, { align: "end" }), [rows, log]);
  return (
    <div ref={scroller} className="view">
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={rows.measureElement}
            data-index={item.index}
            data-line={item.index + 1}
            className="row"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {log[item.index]}
          </div>
        ))}
      </div>
    </div>
  );
}

function Plain({ log }: { log: readonly string[] }) {
  const scroller = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more lines are what to follow
  useLayoutEffect(() => {
    // A browser may answer with a promise, which React would take for what ends the effect.
    scroller.current?.scrollTo(0, scroller.current.scrollHeight);
  }, [log]);
  return (
    <pre ref={scroller} className="view" data-lines={log.length}>
      {log.join("\n")}
    </pre>
  );
}

function Rival({ name }: { name: string | null }) {
  const [log, setLog] = useState<readonly string[]>([]);
  useEffect(() => {
    window.poll = async () => setLog(await readLog());
    void window.poll();
  }, []);
  if (log.length === 0) return null;
  if (name === "pre") return <Plain log={log} />;
  if (name === "logviewer") return <LazyLog text={log.join("\n")} follow height={860} width={1100} />;
  return <Virtual log={log} />;
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<Rival name={new URLSearchParams(location.search).get("rival")} />);
