import { useApi } from "../../../lib/api.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { State } from "../../../ui/State.tsx";
import { AdminLink } from "../AdminFrame.tsx";
import { adminQueries } from "../queries.ts";
import type { PermissionObject } from "./find-objects.ts";
import { type Answer, rightName, ruleWords } from "./words.ts";

type Row = Answer & { right: string };
type Props = { kind: PermissionObject; answers: readonly (Answer | null)[] };

/** The rights in the order of the roles that have them first; of an MCP server for each connection that it may be used by. */
export function Answers({ kind, answers }: Props) {
  const rows = answers.flatMap((answer) => (answer?.right ? [{ ...answer, right: answer.right }] : []));
  if (kind === "mcp_server") return <OfConnections rows={rows} />;
  const team = rows.find(({ team_id }) => team_id)?.team_id;
  return (
    <>
      <Rights kind={kind} rows={rows} />
      {team && kind !== "team" && (
        <p className="mt-3 text-muted text-secondary">
          It belongs to the team <TeamLink id={team} />.
        </p>
      )}
    </>
  );
}

function OfConnections({ rows }: { rows: readonly Row[] }) {
  const teams = [...new Set(rows.flatMap(({ team_id }) => team_id ?? []))];
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h2 className="mb-2 font-medium">With their own connection</h2>
        <Rights kind="mcp_server" rows={rows.filter(({ team_id }) => !team_id)} />
      </div>
      {teams.map((id) => (
        <div key={id}>
          <h2 className="mb-2 font-medium">
            With the connection of the team <TeamLink id={id} />
          </h2>
          <Rights kind="mcp_server" rows={rows.filter(({ team_id }) => team_id === id)} />
        </div>
      ))}
    </div>
  );
}

function Rights({ kind, rows }: { kind: PermissionObject; rows: readonly Row[] }) {
  return (
    <ul className="divide-y border-y">
      {rows.map((answer) => (
        <li
          key={answer.right}
          className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,2fr)_110px_minmax(0,3fr)] sm:items-baseline"
        >
          <span className="font-medium">{rightName(kind, answer.right)}</span>
          <State
            tone={answer.allowed ? "done" : "stopped"}
            word={answer.allowed ? "Allowed" : "Not allowed"}
          />
          <span className="text-muted">{ruleWords(answer, kind)}</span>
        </li>
      ))}
    </ul>
  );
}

/** By its name where whoever asks may see the team, else by its id. */
function TeamLink({ id }: { id: string }) {
  const read = useRead(adminQueries.team(useApi(), id));
  return (
    <AdminLink search={{ tab: "teams", id }}>
      <bdi>{shownName(read.data?.data.team?.name || id)}</bdi>
    </AdminLink>
  );
}
