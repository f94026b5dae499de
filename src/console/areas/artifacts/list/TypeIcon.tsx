import { cx } from "../../../ui/cx.ts";
import type { TypeWord } from "../kind.ts";

/** A drawn sign of what a file is, 36 × 28, in two quiet colours; the word stands beside it, so it is silent. */
export function TypeIcon({ type, className }: { type: TypeWord; className?: string }) {
  return (
    <svg
      viewBox="0 0 36 28"
      width="36"
      height="28"
      aria-hidden="true"
      className={cx("shrink-0 rounded-tag border bg-surface-raised", className)}
    >
      {signs[type]}
    </svg>
  );
}

const dark = "fill-current text-faint";
const quiet = "fill-line-strong";

const lines = (widths: readonly number[], from = 7, x = 8) => {
  const places = widths.map((width, at) => ({ width, y: from + at * 4 }));
  return places.map(({ width, y }) => (
    <rect key={y} x={x} y={y} width={width} height="1.6" className={y === from ? dark : quiet} />
  ));
};

const grid = [0, 1, 2, 3].flatMap((row) =>
  [0, 1, 2, 3].map((column) => (
    <rect
      key={`${row} ${column}`}
      x={7 + column * 6}
      y={6.5 + row * 4.4}
      width="4"
      height="1.5"
      className={row === 0 ? dark : quiet}
    />
  )),
);

const sheet = (
  <>
    <rect x="12" y="3" width="12" height="22" rx="1" className="fill-none stroke-line-strong" />
    {lines([4, 6, 7, 5], 8, 14.5)}
  </>
);

const letter = (text: string) => (
  <text x="18" y="18" textAnchor="middle" className={cx(dark, "font-mono text-[11px]")}>
    {text}
  </text>
);

const signs: Readonly<Record<TypeWord, React.ReactNode>> = {
  text: lines([10, 20, 16, 18]),
  table: grid,
  JSON: [9, 14, 11, 15, 8].map((width, at) => (
    <rect
      key={`${width}`}
      x={at === 0 || at === 4 ? 8 : 12}
      y={5 + at * 4}
      width={width}
      height="1.6"
      className={at % 2 === 0 ? dark : quiet}
    />
  )),
  page: (
    <>
      <rect x="0" y="0" width="36" height="5" className={quiet} />
      {lines([10, 10, 8], 10)}
      <rect x="22" y="10" width="8" height="11" className={quiet} />
    </>
  ),
  PDF: sheet,
  picture: (
    <>
      <path d="M6 22l7-9 5 6 4-5 8 8z" className={quiet} />
      <circle cx="25" cy="8.5" r="2.5" className={dark} />
    </>
  ),
  sound: [5, 11, 16, 8, 13, 6].map((height, at) => (
    <rect
      key={height}
      x={8 + at * 3.6}
      y={14 - height / 2}
      width="1.8"
      height={height}
      className={at % 2 ? dark : quiet}
    />
  )),
  film: (
    <>
      <rect x="7" y="6" width="22" height="16" rx="2" className="fill-none stroke-line-strong" />
      <path d="M15.5 10.5v7l6-3.5z" className={dark} />
    </>
  ),
  code: letter("</>"),
  archive: [0, 1, 2, 3, 4].map((at) => (
    <rect
      key={at}
      x={at % 2 ? 18.5 : 15.5}
      y={5 + at * 3.6}
      width="2.4"
      height="2"
      className={at % 2 ? quiet : dark}
    />
  )),
  document: lines([12, 20, 18, 20]),
  other: letter("·"),
  unknown: letter("?"),
};
