import type { ReactNode } from "react";
import { GroupHead, type TableOf } from "./Table.tsx";

type Props<R> = Pick<TableOf<R>, "label" | "rows" | "groups" | "idOf"> & {
  /** What stands for a row; a link in it may cover all of it (`after:absolute after:inset-0`). */
  children: (row: R) => ReactNode;
};

/** What a table shows, one below the other and edge to edge, for phones. */
export function PhoneRows<R>({ label, rows = [], groups = [{ key: "", rows }], idOf, children }: Props<R>) {
  return (
    <div className="border-t">
      {groups.map(({ key, rows: members, ...words }) => (
        <section key={key} aria-label={typeof words.name === "string" ? words.name : undefined}>
          {words.name !== undefined && (
            <h2 className="flex h-row-group items-center border-b bg-surface-sunken px-edge-left">
              <GroupHead {...words} name={words.name} />
            </h2>
          )}
          <ul aria-label={label}>
            {members.map((row) => (
              <li
                key={idOf(row)}
                data-row={idOf(row)}
                className="group/row relative border-b has-checked:bg-surface-selected"
              >
                {children(row)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
