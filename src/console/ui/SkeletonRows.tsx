import { VisuallyHidden } from "./VisuallyHidden.tsx";

type Props = {
  rows?: number;
  /** The shape of what comes: the CSS width of each column, the first for the tick box: `["14px", "60px", "1fr"]`. */
  columns: readonly string[];
  /** Read aloud: "Loading runs". */
  label: string;
};

/** Rows in the shape of what comes. They appear after 300 ms, so that a quick answer does not flash. */
export function SkeletonRows({ rows = 6, columns, label }: Props) {
  return (
    <div role="status" className="appear-late">
      <VisuallyHidden>{label}</VisuallyHidden>
      {bars(rows, columns.length).map((row) => (
        <div
          key={row.key}
          className="grid h-row items-center gap-4 border-b pr-edge-right pl-edge-left last:border-b-0"
          style={{ gridTemplateColumns: columns.join(" ") }}
          aria-hidden="true"
        >
          <span className="size-3.5 rounded-mark bg-surface-pressed" />
          {row.cells.map((cell) => (
            <span
              key={cell.key}
              className="h-2 rounded-tag bg-surface-pressed"
              style={{ width: `${cell.percent}%` }}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** How much of its column each bar fills: uneven like words, and the same at every draw. */
function bars(rows: number, columns: number) {
  return Array.from({ length: rows }, (_, row) => ({
    key: `row ${row}`,
    cells: Array.from({ length: Math.max(0, columns - 1) }, (_, column) => ({
      key: `column ${column}`,
      percent: 58 + ((row * 37 + column * 53 + row * column * 17) % 43),
    })),
  }));
}
