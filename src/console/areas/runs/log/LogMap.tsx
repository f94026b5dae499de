import { type PointerEvent, type RefObject, useMemo } from "react";
import type { LogView } from "./log-view.ts";

type Props = {
  view: LogView;
  /** 0-based lines. */
  hits: readonly number[];
  errors: readonly number[];
  /** Changes whenever the rows do. */
  version: string;
  /** Shows what is in view; placed by whoever scrolls. */
  thumb: RefObject<HTMLDivElement | null>;
  /** Goes to a part of the whole, from 0 to 1. */
  onGo: (part: number) => void;
};

/** Marks are drawn at this many places, however many lines there are. */
const places = 400;

/** Where hits and errors are in the whole log, at its right edge; a press or drag goes there. */
export function LogMap({ view, hits, errors, version, thumb, onGo }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells of changes inside of the view
  const failed = useMemo(() => pathOf(view, errors), [view, errors, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const found = useMemo(() => pathOf(view, hits), [view, hits, version]);
  const go = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = (thumb.current?.offsetHeight ?? 0) / box.height;
    const at = (event.clientY - box.top) / box.height;
    onGo(part >= 1 ? 0 : Math.min(1, Math.max(0, (at - part / 2) / (1 - part))));
  };
  return (
    // What it does is done by keys in the log, and its marks are told by the counts above it.
    <div
      aria-hidden="true"
      data-log-map=""
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) go(event);
      }}
      className="relative w-3.5 shrink-0 touch-none border-l bg-surface-sunken"
    >
      <div ref={thumb} className="absolute inset-x-0 min-h-2 bg-surface-pressed" />
      <svg
        viewBox={`0 0 12 ${places}`}
        preserveAspectRatio="none"
        className="pointer-events-none absolute inset-0 size-full"
        aria-hidden="true"
      >
        <path d={found} className="fill-hit-mark" data-mark="hits" />
        <path d={failed} className="fill-state-failed-mark" data-mark="errors" />
      </svg>
    </div>
  );
}

function pathOf(view: LogView, lines: readonly number[]): string {
  const count = Math.max(1, view.count);
  let path = "";
  let last = -1;
  for (const line of lines) {
    const place = Math.floor((view.rowOf(line) / count) * (places - 2));
    if (place === last || (view.isFiltered && !view.shows(line))) continue;
    last = place;
    path += `M2 ${place}h8v2h-8z`;
  }
  return path;
}
