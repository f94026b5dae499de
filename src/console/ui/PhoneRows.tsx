import type { ReactNode } from "react";
import { GroupHead, type TableOf } from "./Table.tsx";

type Props<R> = Pick<TableOf<R>, "label" | "rows" | "groups" | "idOf"> & {
  /** What stands for a row; a link in it may cover all of it (`after:absolute after:inset-0`). */
  children: (row: R) => ReactNode;
};

/** What a table shows, one below the other and edge to edge, for phones. */
export function PhoneRows<R>({ label, rows, groups, idOf, children }: Props<R>) {
  const list = (name: string | undefined, some: readonly R[]) => (
    <ul aria-label={name} className="border-t in-[section]:border-t-0">
      {some.map((row) => (
        <li
          key={idOf(row)}
          data-row={idOf(row)}
          className="group/row relative border-b has-checked:bg-surface-selected"
        >
          {children(row)}
        </li>
      ))}
    </ul>
  );
  if (!groups) return list(label, rows ?? []);
  return (
    <div className="border-t">
      {groups.map(({ key, rows: members, ...words }) => (
        <section key={key} aria-label={typeof words.name === "string" ? words.name : label}>
          {words.name !== undefined && (
            <h2 className="flex h-row-group items-center border-b bg-surface-sunken px-edge-left">
              <GroupHead {...words} name={words.name} />
            </h2>
          )}
          {list(undefined, members)}
        </section>
      ))}
    </div>
  );
}
