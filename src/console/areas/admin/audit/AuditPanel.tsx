import { Link, type LinkProps } from "@tanstack/react-router";
import { PanelHead } from "../../../lib/page/PanelHead.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { ClockTime } from "../../../lib/time/ClockTime.tsx";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { DefinitionList } from "../../../ui/DefinitionList.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Id } from "../../../ui/Id.tsx";
import { PanelSection } from "../../../ui/Panel.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { personName } from "../../directory/index.ts";
import { AdminLink } from "../AdminFrame.tsx";
import { nameOf, programWords } from "../labels.ts";
import type { AuditRow } from "../queries.ts";
import type { AdminSearch } from "../search.ts";
import { actionNames, actorWords, fieldWords, objectNames, objectWords } from "./words.ts";

type Props = {
  /** As the list has it. */
  row: AuditRow | undefined;
  isListed: boolean;
  search: AdminSearch;
  onClose: () => void;
};

/** One entry: what changed from what to what, who did it and from where. */
export function AuditPanel({ row, isListed, search, onClose }: Props) {
  if (row === undefined)
    return isListed ? (
      <EmptyState title="Entry not shown" actions={<Button onClick={onClose}>Show all entries</Button>}>
        It is not among the entries listed here. Older ones are read with “Show older”.
      </EmptyState>
    ) : (
      <SkeletonRows label="Loading the entry" rows={6} columns={["2fr", "1fr"]} />
    );
  const kind = nameOf(objectNames, row.object?.kind);
  return (
    <>
      <PanelHead
        back="Back to the audit log"
        picture={<Avatar name={actorWords(row)} className="size-8! text-[12px]!" />}
        name={nameOf(actionNames, row.action)}
        about={objectWords(row) || kind}
        onClose={onClose}
      />
      <PanelSection>
        <DefinitionList nameWidth={92} rows={factsOf(row)} />
      </PanelSection>
      <PanelSection title="Changes" aside={(row.changes ?? []).length || undefined}>
        <Changes row={row} />
      </PanelSection>
      <PanelSection title="Show">
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {pageOf(row) !== null && (
            <Link {...pageOf(row)} className={linkClass}>
              Open {kind.toLowerCase()}
            </Link>
          )}
          {row.object?.kind && row.object.id && search.object_id !== row.object.id && (
            <AdminLink search={{ tab: "audit", object: row.object.kind, object_id: row.object.id }}>
              History of this {kind.toLowerCase()}
            </AdminLink>
          )}
          {row.program?.id && search.object_id !== row.program.id && (
            <AdminLink search={{ tab: "audit", object: "program", object_id: row.program.id }}>
              History of its access
            </AdminLink>
          )}
          {row.by?.user?.id && search.user !== row.by.user.id && (
            <AdminLink search={{ tab: "audit", user: row.by.user.id }}>
              Everything by <bdi>{personName(row.by.user) ?? row.by.user.id}</bdi>
            </AdminLink>
          )}
        </p>
      </PanelSection>
    </>
  );
}

function factsOf(row: AuditRow) {
  const { at, for_user: forUser, credential, program, object, team_id, from, request_id, count } = row;
  const facts = [
    { key: "when", name: "When", value: <ClockTime at={at} /> },
    { key: "by", name: "By", value: <bdi>{actorWords(row)}</bdi> },
    { key: "for", name: "For", value: forUser && <bdi>{personName(forUser) ?? forUser.id}</bdi> },
    { key: "times", name: "Times", value: (count ?? 1) > 1 ? `${count} within a minute` : null },
    {
      key: "object",
      name: nameOf(objectNames, object?.kind),
      value: object?.id && <Id id={object.id} what="id" cut={[12, 6]} />,
    },
    { key: "team", name: "Team", value: team_id && <Id id={team_id} what="team id" cut={[12, 6]} /> },
    {
      key: "credential",
      name: program ? "Access token" : (credentialNames[credential?.kind ?? ""] ?? "Credential"),
      value: credential?.id && <Id id={credential.id} what="credential id" cut={[12, 6]} />,
    },
    { key: "address", name: "Address", value: from?.address && <bdi>{from.address}</bdi> },
    {
      key: "agent",
      name: "Client",
      value: from?.user_agent && <span title={from.user_agent}>{programWords(from.user_agent)}</span>,
    },
    {
      key: "request",
      name: "Request",
      value: request_id && <Id id={request_id} what="request id" cut={[12, 6]} />,
    },
  ];
  return facts.filter(({ value }) => value);
}

const credentialNames: Readonly<Record<string, string>> = {
  personal: "API key",
  team: "Team key",
  token: "Session",
};

function Changes({ row }: { row: AuditRow }) {
  const changes = (row.changes ?? []).flatMap((one) => (one?.field ? [{ ...one, field: one.field }] : []));
  if (changes.length === 0) return <p className="text-faint">No field changed</p>;
  return (
    <ul className="flex flex-col gap-2">
      {changes.map(({ field, shown, before, after }) => (
        <li key={field} className="min-w-0">
          <bdi className="block truncate text-muted text-secondary">{fieldWords(field)}</bdi>
          {shown ? (
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              {before !== null && before !== undefined && (
                <>
                  <del className="wrap-anywhere text-muted">
                    <bdi>{shownName(before)}</bdi>
                  </del>
                  <span aria-hidden className="text-faint">
                    →
                  </span>
                </>
              )}
              {after === null || after === undefined ? (
                <span className="text-faint">removed</span>
              ) : (
                <ins className="wrap-anywhere no-underline">
                  <bdi>{shownName(after)}</bdi>
                </ins>
              )}
            </span>
          ) : (
            <span className="text-faint">changed; its value is not recorded</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Where what it is about can be looked at; null where it has no page. */
function pageOf({ object }: AuditRow): LinkProps | null {
  const id = object?.id;
  if (!id) return null;
  switch (object.kind) {
    case "agent":
      return { to: "/agents/$agentId", params: { agentId: id } };
    case "run":
      return { to: "/runs/$runId", params: { runId: id } };
    case "person":
    case "team":
      return { to: "/admin", search: { tab: object.kind === "person" ? "people" : "teams", id } };
    default:
      return null;
  }
}
