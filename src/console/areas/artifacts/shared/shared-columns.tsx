import { joinNames } from "../../../lib/join-names.ts";
import type { RowSelection } from "../../../lib/list/RowSelection.ts";
import { selectColumn } from "../../../lib/list/SelectRows.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import type { Columns, RowGroup } from "../../../ui/Table.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { grantsTo, isOwner, ShareButton, type TeamName } from "../../sharing/index.ts";

import { ArtifactLink } from "../names.tsx";
import { type Group, grouped, openTo, outsideOf, type SharedRow } from "./useShared.ts";

type Shown = {
  selection: RowSelection;
  /** Whether anything can be selected. */
  canSelect: boolean;
  isPhone: boolean;
  /** There is room also for when it was made. */
  hasRoom: boolean;
  teamName: TeamName;
  /** Names of agents by their id. */
  agents: ReadonlyMap<string, string>;
  onRevoke: (row: SharedRow) => void;
  /** Reads again who has access to one. */
  onRead: (id: string) => void;
};

const titles: Readonly<Record<Group, string>> = {
  open: "Open to anyone with the link",
  password: "Open with a password",
  outside: "Open to people of other domains",
  inside: "Open to people, teams or the organisation",
  team: "Open to the team it was created for",
};

/** What is shared, in groups, the widest open first. */
export const groupsOf = (rows: readonly SharedRow[], isSettled: boolean): readonly RowGroup<SharedRow>[] =>
  grouped(rows, isSettled).map(({ group, rows: members }) => ({
    key: group,
    name: titles[group],
    count: members.length,
    remark: group === "team" && "always open to its members",
    rows: members,
  }));

/** What is shared, with whom, since when, and how it is taken back. */
export function sharedColumns(shown: Shown): Columns<SharedRow> {
  const { selection, canSelect, isPhone, hasRoom, teamName, agents, onRevoke, onRead } = shown;
  const boxes = selectColumn<SharedRow>({
    selection,
    all: "Select all",
    idOf: ({ artifact }) => artifact.id,
    labelOf: ({ name }) => `Select ${name}`,
  });
  return {
    select: {
      ...boxes,
      head: canSelect && boxes.head,
      width: 46,
      headClass: "max-sm:w-[42px]",
      cell: (row) => !row.isThroughTeam && boxes.cell(row),
    },
    artifact: {
      head: "Artifact",
      kind: "name",
      title: ({ name }) => name,
      cell: (row) => (
        <>
          <ArtifactLink row={row.artifact}>
            <bdi>{row.name}</bdi>
          </ArtifactLink>
          {isPhone && (
            <span className="block truncate font-normal text-muted text-secondary">
              {openTo(row, teamName)}
            </span>
          )}
        </>
      ),
    },
    agent: !isPhone && {
      head: "Agent",
      width: 140,
      kind: "support",
      className: "@max-[1040px]:hidden",
      title: ({ artifact }) => agentOf(artifact, agents),
      cell: ({ artifact }) => <bdi>{agentOf(artifact, agents)}</bdi>,
    },
    open: !isPhone && {
      head: "Open to",
      width: "30%",
      kind: "muted",
      cell: (row) => <OpenTo row={row} teamName={teamName} onRead={() => onRead(row.artifact.id)} />,
    },
    made: hasRoom && {
      head: "Created",
      width: 100,
      kind: "muted",
      cell: ({ artifact }) => <Ago at={artifact.created_at} />,
    },
    acts: {
      head: <span className="sr-only">Actions</span>,
      width: 190,
      headClass: "max-sm:w-[96px]",
      cellClass: "text-right",
      cell: (row) => (
        <span className="inline-flex items-center gap-1.5 align-middle">
          {!isPhone && <ShareButton artifact={row.artifact} size="small" />}
          {!row.isThroughTeam && (
            <Button
              size="small"
              variant="danger"
              aria-label={`Stop sharing ${row.name}`}
              onClick={() => onRevoke(row)}
            >
              {isPhone ? "Stop" : "Stop sharing"}
            </Button>
          )}
        </span>
      ),
    },
  };
}

/** Files of one name are told apart by who wrote them. */
const agentOf = ({ agent_id }: SharedRow["artifact"], agents: ReadonlyMap<string, string>) =>
  agent_id ? (agents.get(agent_id) ?? shownName(agent_id)) : null;

type OpenToProps = { row: SharedRow; teamName: TeamName; onRead: () => void };

function OpenTo({ row, teamName, onRead }: OpenToProps) {
  const outside = outsideOf(row);
  const named = row.access ? grantsTo(row.access, "person").filter((grant) => !isOwner(grant)) : [];
  const names = named.map(({ name }) => name);
  return (
    <span title={names.length > 0 ? joinNames(names, 12) : undefined}>
      {openTo(row, teamName)}
      {outside.length > 0 && (
        <span className="ml-2" title={joinNames(outside, 8)}>
          <Tag>
            {outside.length === 1 ? outside[0] : counted(outside.length, "other domain", "other domains")}
          </Tag>
        </span>
      )}
      {row.error !== null && (
        <span className="ml-2 text-state-failed-fg">
          Could not load who has access.{" "}
          <button type="button" className={linkClass} onClick={onRead}>
            Try again
          </button>
        </span>
      )}
    </span>
  );
}
