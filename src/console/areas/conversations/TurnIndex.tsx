import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { toolCallStates } from "../../../contract/area-states.ts";
import { describeState, type Tone } from "../../../contract/states.ts";
import { shownName } from "../../lib/shownName.ts";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/State.tsx";
import type { Turn } from "./model.ts";

type Props = {
  turns: readonly Turn[];
  /** The turn in view. */
  current: number;
  onShow: (row: number) => void;
};

type Line =
  | { readonly kind: "turn"; readonly turn: Turn }
  | { readonly kind: "call"; readonly row: number; readonly tone: Tone; readonly words: string };

const turnHeight = 28;
const callHeight = 24;

/** The questions as an index: the turn in view with each of its calls, the others with a count and what failed. */
export function TurnIndex({ turns, current, onShow }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const lines = useMemo(() => linesOf(turns, current), [turns, current]);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === "turn" ? turnHeight : callHeight),
    overscan: 4,
    paddingStart: 8,
    paddingEnd: 8,
  });
  const measured = useRef(lines);
  // Other lines have other heights.
  useEffect(() => {
    if (measured.current === lines) return;
    measured.current = lines;
    list.measure();
  }, [lines, list]);
  const at = lines.findIndex((line) => line.kind === "turn" && line.turn.number === current);
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at, { align: "auto" });
  }, [at, list]);
  return (
    <nav ref={scroller} aria-label="Turns" className="max-h-[52vh] min-h-0 overflow-y-auto">
      <ol className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (!line) return null;
          return (
            <li
              key={item.key}
              className="absolute inset-x-0"
              style={{ translate: `0 ${item.start}px`, height: item.size }}
            >
              {line.kind === "turn" ? (
                <TurnLine
                  turn={line.turn}
                  digits={String(turns.length).length}
                  isCurrent={line.turn.number === current}
                  onShow={onShow}
                />
              ) : (
                <button
                  type="button"
                  onClick={() => onShow(line.row)}
                  className="focus-inset flex size-full items-center gap-2 pr-4 pl-[43px] text-left text-muted text-secondary hover:text-default"
                >
                  <StateShape
                    tone={line.tone}
                    label={toneLabel[line.tone] ?? "unknown state"}
                    className="scale-85"
                  />
                  <span className="truncate">{line.words}</span>
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

type LineProps = { turn: Turn; digits: number; isCurrent: boolean; onShow: (row: number) => void };

function TurnLine({ turn, digits, isCurrent, onShow }: LineProps) {
  return (
    <button
      type="button"
      onClick={() => onShow(turn.row)}
      {...(isCurrent && { "aria-current": true })}
      className={cx(
        "focus-inset flex size-full items-center gap-2 pr-4 pl-edge-left text-left",
        isCurrent
          ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]"
          : "text-muted hover:bg-surface-hover hover:text-default",
      )}
    >
      <span
        className="shrink-0 text-right text-secondary tabular-nums"
        style={{ width: `max(15px, ${digits}ch)` }}
      >
        {turn.number}
      </span>
      <span className="truncate">{turn.words}</span>
    </button>
  );
}

const toneLabel: Partial<Record<Tone, string>> = {
  ...Object.fromEntries(
    Object.keys(toolCallStates).map((state) => {
      const { tone, word } = describeState(toolCallStates, state);
      return [tone, word];
    }),
  ),
  stopped: "stopped",
};

function linesOf(turns: readonly Turn[], current: number): readonly Line[] {
  return turns.flatMap((turn): readonly Line[] => {
    const head: Line = { kind: "turn", turn };
    const line = ({ row, tone, name }: Turn["calls"][number]) =>
      ({ kind: "call", row, tone, words: shownName(name) }) as const;
    if (turn.number === current && turn.calls.length <= 12) return [head, ...turn.calls.map(line)];
    const failed = turn.calls.filter((call) => call.tone === "failed");
    const others = turn.calls.filter((call) => call.tone !== "failed");
    const [first] = others;
    const running = others.find((call) => call.tone === "running");
    const words = others.length > 1 && { words: `${others.length} tool calls` };
    return [
      head,
      ...(first ? [{ ...line(first), tone: (running ?? first).tone, ...words }] : []),
      ...failed.slice(0, 3).map(line),
    ];
  });
}
