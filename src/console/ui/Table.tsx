import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import type { ComponentProps, ComponentPropsWithoutRef, CSSProperties, MouseEvent, ReactNode } from "react";
import { cx } from "./cx.ts";
import { useRestOfRow } from "./resize.ts";

type CellKind = keyof typeof kinds;

/** A column of a table: its head, and what each row has in it. */
export interface Column<R> {
  readonly head?: ReactNode;
  /** Of the whole column, in px unless it says otherwise; columns without one share what is left. */
  readonly width?: number | string;
  /** Given to head and cells alike. Where the column gives way: `@max-[820px]:hidden`, by the room that the table has. */
  readonly className?: string | undefined;
  readonly headClass?: string;
  readonly cellClass?: string | ((row: R) => string);
  /** How its cells stand back; figures stand at the right, under a head at the right. */
  readonly kind?: CellKind | ((row: R) => CellKind);
  /** Where the head is at the right and the kind differs from row to row. */
  readonly isFigure?: boolean;
  /** How this column sorts the list now; `onSort` where it may. */
  readonly sort?: "ascending" | "descending" | undefined;
  readonly onSort?: () => void;
  /** What the head says in full. */
  readonly about?: string;
  readonly title?: (row: R) => string | null | undefined;
  readonly cell: (row: R) => ReactNode;
}

/** Columns in their order, by their names; one that is false is left out. */
export type Columns<R> = Readonly<Record<string, Column<R> | false>>;

/** The columns that there are, with their names. */
export const columnsOf = <R,>(columns: Columns<R>) =>
  Object.entries(columns).flatMap(([id, column]) => (column ? [{ id, ...column }] : []));

/** Rows under a head of their own; without a name they have none. */
export interface RowGroup<R> {
  readonly key: string;
  readonly name?: ReactNode;
  readonly count?: ReactNode;
  readonly remark?: ReactNode;
  readonly rows: readonly R[];
}

/** What a table shows. */
export interface TableOf<R> {
  /** Its name for those who listen. */
  readonly label: string;
  readonly columns: Columns<R>;
  readonly rows?: readonly R[];
  /** In place of `rows`. */
  readonly groups?: readonly RowGroup<R>[];
  readonly idOf: (row: R) => string;
  readonly isSelected?: (row: R) => boolean;
  readonly onRow?: (row: R, event: MouseEvent) => void;
  readonly rowClass?: string;
  readonly className?: string;
}

/** A table from its columns, which keep the widths that their heads give them, and its rows. */
export function Table<R>({ rows, groups, idOf, isSelected, onRow, rowClass, ...frame }: TableOf<R>) {
  const { columns } = frame;
  const bodies = groups ?? [{ key: "", rows: rows ?? [] }];
  return (
    <TableFrame {...frame}>
      {bodies.map(({ key, rows: members, ...words }) => (
        <tbody key={key}>
          {words.name !== undefined && <GroupRow {...words} name={words.name} />}
          {members.map((row) => (
            <TableRow
              key={idOf(row)}
              id={idOf(row)}
              columns={columns}
              row={row}
              isSelected={isSelected?.(row) ?? false}
              className={rowClass}
              {...(onRow && { onRow: (event: MouseEvent) => onRow(row, event) })}
            />
          ))}
        </tbody>
      ))}
    </TableFrame>
  );
}

type FrameProps<R> = Pick<TableOf<R>, "label" | "columns"> & ComponentPropsWithoutRef<"table">;

/** A table's heads, around rows that are components of their own: bodies with a `TableRow` each. */
export function TableFrame<R>({ label, columns, className, children, ...rest }: FrameProps<R>) {
  return (
    <div className="@container">
      <table
        {...rest}
        aria-label={label}
        className={cx("w-full table-fixed border-separate border-spacing-0", className)}
      >
        <thead>
          <tr>
            {columnsOf(columns).map(({ id, ...column }) => (
              <Head key={id} {...column} />
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

const edges = "px-2 first:pl-edge-left last:pr-edge-right";

/** The head of a column; it stays in view while the rows scroll. */
function Head<R>({ head, width, kind, isFigure, sort, onSort, about, ...column }: Column<R>) {
  const Arrow = sort === "ascending" ? ArrowUp : ArrowDown;
  const content = (
    <>
      <span className="truncate">{head}</span>
      {sort && <Arrow />}
    </>
  );
  return (
    <th
      scope="col"
      {...(sort && { "aria-sort": sort })}
      title={about}
      // As a variable, so that a class can say otherwise for a narrow table.
      {...(width !== undefined && { style: { "--column": lengthOf(width) } as CSSProperties })}
      className={cx(
        edges,
        "sticky top-0 z-sticky h-row-head border-y bg-surface font-medium text-muted text-secondary",
        width !== undefined && "w-(--column)",
        isFigure || kind === "figure" || kind === "mutedFigure" ? "text-right" : "text-left",
        column.className,
        column.headClass,
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

const lengthOf = (width: number | string) => (typeof width === "number" ? `${width}px` : width);

type RowProps<R> = Omit<ComponentProps<"tr">, "id" | "children"> & {
  /** The row is found by it (`data-row`). */
  id: string;
  columns: Columns<R>;
  row: R;
  /** Selected: a tint and an accent edge. */
  isSelected?: boolean;
  /** A click on the row, beside what in it acts by itself. */
  onRow?: (event: MouseEvent) => void;
  /** What stands in place of all cells after the first ones, which are always shown. */
  rest?: { readonly after: number; readonly kind: CellKind; readonly content: ReactNode } | false;
};

/** What takes a click for itself; a label, because a near miss of its box is meant for it. */
const acting = "a, button, input, label";

/** A row, 36 px or 28 by the person's setting. */
export function TableRow<R>(props: RowProps<R>) {
  const { id, columns, row, isSelected, onRow, rest, className, ...more } = props;
  const shown = columnsOf(columns).slice(0, rest ? rest.after : undefined);
  return (
    <tr
      {...more}
      data-row={id}
      {...(onRow && {
        onClick: (event: MouseEvent) => !(event.target as Element).closest(acting) && onRow(event),
      })}
      {...(isSelected && { "data-selected": true })}
      className={cx(
        "group/row [&>td]:border-b",
        isSelected
          ? "bg-surface-selected [&>td:first-child]:shadow-[inset_2px_0_var(--accent-solid)]"
          : "hover:bg-surface-hover",
        onRow && "cursor-default",
        className,
      )}
    >
      {shown.map((column) => (
        <Td
          key={column.id}
          kind={of(column.kind, row)}
          title={column.title?.(row) ?? undefined}
          className={cx(column.className, of(column.cellClass, row))}
        >
          {column.cell(row)}
        </Td>
      ))}
      {rest && (
        <RestCell before={rest.after} kind={rest.kind}>
          {rest.content}
        </RestCell>
      )}
    </tr>
  );
}

function of<R, V extends string>(value: V | ((row: R) => V) | undefined, row: R): V | undefined {
  return typeof value === "function" ? value(row) : value;
}

/** A cell. `name` is what the row is called; `muted`, `support` (smaller) and `faint` stand back; figures stand at the right, all of one width. */
export function Td({
  kind = "text",
  className,
  ...rest
}: ComponentProps<"td"> & { kind?: CellKind | undefined }) {
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
  mutedFigure: "text-right tabular-nums text-muted",
};

/** A cell from here to the end of its row, after `before` columns that are always shown. */
export function RestCell({ before, ...rest }: ComponentProps<typeof Td> & { before: number }) {
  const [ref, colSpan] = useRestOfRow(before);
  return <Td {...rest} ref={ref} colSpan={colSpan} />;
}

type GroupWords = { name: ReactNode; count?: ReactNode; remark?: ReactNode };

/** A row over a group of rows: its name, how many, and one remark. */
function GroupRow(group: GroupWords) {
  const [ref, colSpan] = useRestOfRow(0);
  return (
    <tr>
      <th
        ref={ref}
        scope="rowgroup"
        colSpan={colSpan}
        className="h-row-group border-b bg-surface-sunken pr-edge-right pl-edge-left text-left"
      >
        <GroupHead {...group} />
      </th>
    </tr>
  );
}

/** The words of a group's head, for lists that are no tables. */
export function GroupHead({ name, count, remark }: GroupWords) {
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
