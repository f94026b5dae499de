import { Fragment } from "react";
import { Ago } from "../../../lib/time/Time.tsx";
import { noPanel, phone, useMedia } from "../../../lib/useMedia.ts";
import { counted, listed } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { GroupRow, Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { ShareButton, type TeamName, useTeams } from "../../sharing/index.ts";

import { ArtifactLink } from "../names.tsx";
import type { Selection } from "../useSelection.ts";
import { type Group, grouped, openTo, outsideOf, type SharedRow } from "./useShared.ts";

type Props = {
  rows: readonly SharedRow[];
  isSettled: boolean;
  selection: Selection;
  onRevoke: (row: SharedRow) => void;
  /** Reads again who has access to one. */
  onRead: (id: string) => void;
};

const titles: Readonly<Record<Group, string>> = {
  open: "Open to anyone with the link",
  password: "Open with a password",
  outside: "Open to people of other domains",
  inside: "Open to people, teams or the organisation",
  team: "Open to the team that it was made for",
};

/** What is shared, in groups, the widest open first. */
export function SharedTable({ rows, isSettled, selection, onRevoke, onRead }: Props) {
  const isPhone = useMedia(phone);
  const hasRoom = !useMedia(noPanel);
  const { nameOf } = useTeams();
  const canSelect = rows.some(({ isThroughTeam }) => !isThroughTeam);
  return (
    <Table label="What you share" className="[&_th]:border-t-0">
      <thead>
        <tr>
          <Th className="w-[46px] max-sm:w-[42px]">
            {canSelect && (
              <Checkbox
                aria-label="Pick all"
                checked={selection.isAll}
                isPartial={selection.selected.size > 0 && !selection.isAll}
                onChange={selection.toggleAll}
              />
            )}
          </Th>
          <Th>Artifact</Th>
          {!isPhone && <Th className="w-[30%]">Open to</Th>}
          {hasRoom && <Th className="w-[100px]">Made</Th>}
          <Th className="w-[190px] max-sm:w-[96px]">
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {grouped(rows, isSettled).map(({ group, rows: members }) => (
          <Fragment key={group}>
            <GroupRow
              name={titles[group]}
              count={members.length}
              remark={group === "team" && "its members view it for as long as it exists"}
            />
            {members.map((row) => (
              <Row
                key={row.artifact.id}
                row={row}
                teamName={nameOf}
                isPhone={isPhone}
                hasRoom={hasRoom}
                isSelected={selection.selected.has(row.artifact.id)}
                onSelect={() => selection.toggle(row.artifact.id)}
                onRevoke={() => onRevoke(row)}
                onRead={() => onRead(row.artifact.id)}
              />
            ))}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

type RowProps = {
  row: SharedRow;
  teamName: TeamName;
  isPhone: boolean;
  /** Also for when it was made. */
  hasRoom: boolean;
  isSelected: boolean;
  onSelect: () => void;
  onRevoke: () => void;
  onRead: () => void;
};

function Row({ row, teamName, isPhone, hasRoom, isSelected, onSelect, onRevoke, onRead }: RowProps) {
  const { artifact, name } = row;
  return (
    <Tr isSelected={isSelected} aria-selected={isSelected}>
      <Td>
        {!row.isThroughTeam && (
          <Checkbox aria-label={`Pick ${name}`} checked={isSelected} onChange={onSelect} />
        )}
      </Td>
      <Td kind="name" title={name}>
        <ArtifactLink row={artifact}>
          <bdi>{name}</bdi>
        </ArtifactLink>
        {isPhone && (
          <span className="block truncate font-normal text-muted text-secondary">
            {openTo(row, teamName)}
          </span>
        )}
      </Td>
      {!isPhone && (
        <Td kind="muted">
          <OpenTo row={row} teamName={teamName} onRead={onRead} />
        </Td>
      )}
      {hasRoom && (
        <Td kind="muted">
          <Ago at={artifact.created_at} />
        </Td>
      )}
      <Td className="text-right">
        <span className="inline-flex items-center gap-1.5 align-middle">
          {!isPhone && <ShareButton artifact={artifact} size="small" />}
          {!row.isThroughTeam && (
            <Button size="small" variant="danger" aria-label={`Stop sharing ${name}`} onClick={onRevoke}>
              {isPhone ? "Stop" : "Stop sharing"}
            </Button>
          )}
        </span>
      </Td>
    </Tr>
  );
}

function OpenTo({ row, teamName, onRead }: Pick<RowProps, "row" | "teamName" | "onRead">) {
  const outside = outsideOf(row);
  const names = row.access?.people.filter(({ role }) => role !== "owner").map(({ name }) => name) ?? [];
  return (
    <span title={names.length > 0 ? listed(names, 12) : undefined}>
      {openTo(row, teamName)}
      {outside.length > 0 && (
        <span className="ml-2" title={listed(outside, 8)}>
          <Tag>
            {outside.length === 1 ? outside[0] : counted(outside.length, "other domain", "other domains")}
          </Tag>
        </span>
      )}
      {row.error !== null && (
        <span className="ml-2 text-state-failed-fg">
          Who it is could not be read.{" "}
          <button type="button" className={linkClass} onClick={onRead}>
            Try again
          </button>
        </span>
      )}
    </span>
  );
}
