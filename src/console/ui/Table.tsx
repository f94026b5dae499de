import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import {
  type ComponentProps,
  type ComponentPropsWithoutRef,
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { cx } from "./cx.ts";

/** How many columns of the table around it are shown now. */
const ShownColumns = createContext(1);

/** How many columns a cell takes that goes on to the end of its row, after `before` others. */
const useRestOfRow = (before: number): number => Math.max(1, useContext(ShownColumns) - before);

/**
 * Counts the columns of a table that are shown: those that give way to others have no room, and a cell that went over
 * them all the same would make columns of nothing, which take their share of the table.
 */
function useShownColumns(table: RefObject<HTMLTableElement | null>): number {
  const [shown, setShown] = useState(1);
  const count = useCallback(() => {
    const heads = [...(table.current?.tHead?.rows[0]?.cells ?? [])];
    setShown(
      heads.reduce((sum, head) => (getComputedStyle(head).display === "none" ? sum : sum + head.colSpan), 0),
    );
  }, [table]);
  // After each rendering: the heads may be others.
  useLayoutEffect(count);
  useEffect(() => {
    if (!table.current || !("ResizeObserver" in globalThis)) return;
    const observer = new ResizeObserver(count);
    observer.observe(table.current);
    return () => observer.disconnect();
  }, [table, count]);
  return shown;
}

/**
 * A table whose columns keep the widths that their heads give them. `label` is its name for those who listen. A column
 * gives way by the room that the table has, not the window: `@max-[820px]:hidden` at its head and its cells.
 */
export function Table({ label, className, ...rest }: ComponentPropsWithoutRef<"table"> & { label: string }) {
  const table = useRef<HTMLTableElement>(null);
  const shown = useShownColumns(table);
  return (
    <ShownColumns value={shown}>
      <div className="@container">
        <table
          {...rest}
          ref={table}
          aria-label={label}
          className={cx("w-full table-fixed border-separate border-spacing-0", className)}
        />
      </div>
    </ShownColumns>
  );
}

const edges = "px-2 first:pl-edge-left last:pr-edge-right";

type HeadProps = Omit<ComponentProps<"th">, "scope"> & {
  /** Figures stand at the right, under a head at the right. */
  isFigure?: boolean;
  /** How this column sorts the list now; give `onSort` where it may. */
  sort?: "ascending" | "descending" | undefined;
  onSort?: (() => void) | undefined;
};

/** The head of a column; it stays in view while the rows scroll. */
export function Th({ isFigure = false, sort, onSort, className, children, ...rest }: HeadProps) {
  const Arrow = sort === "ascending" ? ArrowUp : ArrowDown;
  const content = (
    <>
      <span className="truncate">{children}</span>
      {sort && <Arrow />}
    </>
  );
  return (
    <th
      {...rest}
      scope="col"
      {...(sort && { "aria-sort": sort })}
      className={cx(
        edges,
        "sticky top-0 z-sticky h-row-head border-y bg-surface font-medium text-muted text-secondary",
        isFigure ? "text-right" : "text-left",
        className,
      )}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className="inline-flex max-w-full items-center gap-1.5 rounded-tag hover:text-default"
        >
          {content}
        </button>
      ) : (
        <span className="inline-flex max-w-full items-center gap-1.5">{content}</span>
      )}
    </th>
  );
}

/** A row, 36 px or 28 by the person's setting. Selected: a tint and an accent edge. */
export function Tr({
  isSelected = false,
  className,
  ...rest
}: ComponentProps<"tr"> & { isSelected?: boolean }) {
  return (
    <tr
      {...rest}
      {...(isSelected && { "data-selected": true })}
      className={cx(
        "group/row [&>td]:border-b",
        isSelected
          ? "bg-surface-selected [&>td:first-child]:shadow-[inset_2px_0_var(--accent-solid)]"
          : "hover:bg-surface-hover",
        className,
      )}
    />
  );
}

/** A cell. `name` is what the row is called; `muted`, `support` (smaller) and `faint` stand back; figures stand at the right, all of one width. */
export function Td({
  kind = "text",
  className,
  ...rest
}: ComponentProps<"td"> & { kind?: keyof typeof kinds }) {
  return <td {...rest} className={cx(edges, rowClass, kinds[kind], className)} />;
}

// Cells stand on one baseline, whatever their size of type; the line under the row is part of its height.
const rowClass = "truncate pt-[calc((var(--row)-20px)/2)] pb-[calc((var(--row)-22px)/2)] align-baseline";

const kinds = {
  text: "",
  name: "font-medium",
  muted: "text-muted",
  support: "text-muted text-secondary",
  faint: "text-faint text-secondary",
  figure: "text-right tabular-nums",
};

/** A cell from here to the end of its row, after `before` columns that are always shown. */
export function RestCell({ before, ...rest }: ComponentProps<typeof Td> & { before: number }) {
  return <Td {...rest} colSpan={useRestOfRow(before)} />;
}

/** A row over a group of rows: its name, how many, and one remark. */
export function GroupRow({
  name,
  count,
  remark,
}: {
  name: ReactNode;
  count?: ReactNode;
  remark?: ReactNode;
}) {
  return (
    <tr>
      <th
        scope="rowgroup"
        colSpan={useRestOfRow(0)}
        className="h-row-group border-b bg-surface-sunken pr-edge-right pl-edge-left text-left"
      >
        <GroupHead name={name} count={count} remark={remark} />
      </th>
    </tr>
  );
}

/** The words of a group's head, for lists that are no tables. */
export function GroupHead({
  name,
  count,
  remark,
}: {
  name: ReactNode;
  count?: ReactNode;
  remark?: ReactNode;
}) {
  return (
    <span className="flex items-baseline gap-2 font-normal text-muted text-secondary">
      {/* The spaces are for those who listen: a heading is read as one text. */}
      <span className="font-medium text-default">{name}</span>{" "}
      <span className="text-faint tabular-nums">{count}</span> <span className="ml-auto">{remark}</span>
    </span>
  );
}

/** The line under a list: what it holds and what it leaves out, and the keys that work here. */
export function ListFoot({ children, keys }: { children: ReactNode; keys?: ReactNode }) {
  return (
    <footer className="foot table-foot">
      <span className="max-sm:min-w-0 sm:truncate">{children}</span>
      {keys !== undefined && <span className="flex items-center gap-3 max-md:hidden">{keys}</span>}
    </footer>
  );
}
