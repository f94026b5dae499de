import type { ReactNode } from "react";
import type { Endpoint } from "../../../contract/define.ts";
import { TableList } from "../../lib/list/ListView.tsx";
import { useListKeys } from "../../lib/list/useListKeys.ts";
import { narrowedTitle } from "../../lib/page/narrowed-title.ts";
import type { Pages } from "../../lib/paging/usePages.ts";
import { moveKeys } from "../../ui/Kbd.tsx";
import type { Columns } from "../../ui/Table.tsx";
import { AdminFrame, type AdminTab, useChangeSearch } from "./AdminFrame.tsx";
import type { OwnRoles } from "./roles.ts";
import type { AdminSearch } from "./search.ts";

type Props<R> = {
  tab: AdminTab;
  roles: OwnRoles;
  search: AdminSearch;
  list: Pages<Endpoint, R>;
  title: string;
  /** What the list is narrowed to beside words, as its tools say it. */
  chosen?: readonly (string | false | undefined)[];
  /** What one row is, in a word: "person". */
  noun: string;
  actions: ReactNode;
  /** The line over the table. */
  tools: ReactNode;
  columns: Columns<R>;
  phone: (row: R) => ReactNode;
  empty: ReactNode;
  foot: ReactNode;
  moreLabel?: string;
  /** What stands beside the list for the chosen row, which may not be among those that were read. */
  panel: (of: { key: string; row: R | undefined; isListed: boolean; onClose: () => void }) => ReactNode;
  children?: ReactNode;
};

/** A list of the administration: the chosen row stands in the address, what it holds beside the list. */
export function AdminList<R extends { id: string }>(props: Props<R>) {
  const {
    tab,
    roles,
    search,
    title,
    chosen = [],
    noun,
    actions,
    tools,
    columns,
    panel,
    children,
    ...rest
  } = props;
  const { rows, ...list } = props.list;
  const change = useChangeSearch();
  const pick = (id: string | undefined) => change({ id });
  const onClose = () => pick(undefined);
  const ids = rows.map(({ id }) => id);
  useListKeys({ noun, ids, current: search.id, onMove: pick, onClose });
  const isChosen = ({ id }: R) => id === search.id;
  return (
    <AdminFrame
      roles={roles}
      tab={tab}
      title={narrowedTitle(title, search.q, ...chosen)}
      live={list.query.queryKey}
      actions={actions}
      panelLabel={`The selected ${noun}`}
      panelKind="catalogue"
      {...(search.id !== undefined && {
        panel: panel({ key: search.id, row: rows.find(isChosen), isListed: !list.query.isPending, onClose }),
      })}
    >
      {tools}
      <TableList
        moreLabel="Show more"
        {...rest}
        list={list}
        what={`The ${title.toLowerCase()}`}
        table={{
          label: title,
          columns,
          rows,
          idOf: ({ id }) => id,
          isSelected: isChosen,
          onRow: ({ id }) => pick(id),
        }}
        keys={[moveKeys]}
      />
      {children}
    </AdminFrame>
  );
}
