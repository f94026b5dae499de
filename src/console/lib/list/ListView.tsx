import type { ReactNode } from "react";
import type { Damage } from "../../api/receive.ts";
import type { KeyHint } from "../../ui/Kbd.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { PhoneRows } from "../../ui/PhoneRows.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { type Columns, columnsOf, Table, type TableOf } from "../../ui/Table.tsx";
import { LaterDamage, LaterFailure, LaterStale } from "../failure/later.tsx";
import type { More } from "../paging/usePages.ts";
import { failureOf, hasFailed, type Read } from "../paging/useRead.ts";
import { phone as phoneMedia, useMedia } from "../useMedia.ts";

/** Where a list comes from: `usePages` gives it. */
export interface ListSource {
  /** What its rows stand on; null where this browser knows them by itself. */
  readonly query: (Omit<Read<unknown>, "refetch"> & { refetch(): unknown }) | null;
  readonly damage?: readonly Damage[];
  /** Null where everything was read. */
  readonly more?: More | null;
}

/** Whether a list has told what there is: only then its rows, and their number, say anything. */
export const isRead = ({ query }: ListSource): boolean =>
  query === null || !(query.isPending || hasFailed(query));

type Props = {
  list: ListSource;
  /** What is read, as the beginning of a sentence: "The runs". */
  what: string;
  /** What comes, for the skeleton: the width of each column in CSS. */
  shape: readonly string[];
  isEmpty: boolean;
  /** Why there is nothing, and the next step. */
  empty: ReactNode;
  children: ReactNode;
  /** What the list holds and what it leaves out; said only of what was read. */
  foot?: ReactNode;
  keys?: readonly KeyHint[];
  /** In place of the keys: a remark at the right, of what was read too. */
  aside?: ReactNode;
  /** What stands under the rows, whatever state they are in. */
  below?: ReactNode;
  /** What floats over the end of the list. */
  over?: ReactNode;
  moreLabel?: string;
};

/** A list in whatever state it is: being read, failed, stale, damaged, empty, there; and its foot, which reads on. */
export function ListView({ list, what, shape, isEmpty, empty, children, foot, ...rest }: Props) {
  const { query, damage = [], more } = list;
  const { moreLabel = "Show older", below, aside, ...footProps } = rest;
  const isPhone = useMedia(phoneMedia);
  const failed = query !== null && hasFailed(query) ? query : null;
  return (
    <>
      {query && !failed && <LaterStale query={query} />}
      <LaterDamage damage={damage} />
      {failed ? (
        <LaterFailure {...failureOf(failed)} what={what} />
      ) : query?.isPending ? (
        <SkeletonRows
          label={`Loading ${what.replace(/^The /, "").replace(/^Y/, "y")}`}
          rows={8}
          columns={isPhone ? ["14px", "2fr", "70px"] : shape}
        />
      ) : isEmpty ? (
        empty
      ) : (
        children
      )}
      {below}
      <PageFoot
        {...footProps}
        {...(isRead(list) && { aside })}
        more={more ? { label: moreLabel, ...more } : null}
      >
        {isRead(list) && foot}
      </PageFoot>
    </>
  );
}

type TableListProps<R> = Omit<Props, "shape" | "isEmpty" | "children"> & {
  table: TableOf<R>;
  /** What stands over the rows. */
  above?: ReactNode;
  /** What stands for a row on phones; without it the table stays. */
  phone?: (row: R) => ReactNode;
};

/** A list whose rows stand in a table, on phones one below the other. */
export function TableList<R>({ table, above, phone, ...rest }: TableListProps<R>) {
  const isPhone = useMedia(phoneMedia);
  return (
    <ListView
      {...rest}
      shape={shapeOf(table.columns)}
      isEmpty={(table.rows ?? table.groups ?? []).length === 0}
    >
      {above}
      {isPhone && phone ? <PhoneRows {...table}>{phone}</PhoneRows> : <Table {...table} />}
    </ListView>
  );
}

/** Skeletons have the shape of what comes: the boxes first, then each column as wide as its head. */
export const shapeOf = (columns: Columns<never>): readonly string[] => [
  "14px",
  ...columnsOf(columns).flatMap(({ id, width = "2fr" }) =>
    id === "select" ? [] : typeof width === "number" ? `${width - 16}px` : width,
  ),
];
