import type { ReactNode } from "react";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { GroupHead } from "../../ui/Table.tsx";
import { Person } from "../directory/index.ts";
import { creditWords, sourceName } from "../knowledge/index.ts";
import { connectionWords, failureParts, type ServerNeed, serverName, waitWords } from "../mcp/index.ts";

import type { Needs as NeedsRead } from "./useNeeds.ts";
import { WorkRow } from "./WorkRow.tsx";

/** What waits for this person beside runs: servers to sign in to, drafts to approve, grades that need attention. */
export function Needs({ needs }: { needs: NeedsRead }) {
  return (
    <>
      <Group name="MCP servers" count={needs.servers.length} remark="what runs in your name cannot call them">
        {needs.servers.map((need) => (
          <WorkRow
            key={need.row.id}
            tone={connectionWords(need.isMine ? need.row.mine : need.row.team)?.tone ?? "waiting"}
            title={`${serverName(need.row.server)} ${waitWords[need.waits]}`}
            why={whyOf(need)}
            weight={
              need.agents === null
                ? ""
                : need.agents === 0
                  ? "no agent uses it"
                  : need.agents === 1
                    ? "1 agent uses it"
                    : `${need.agents} agents use it`
            }
            link={{ to: "/mcp", search: { server: need.row.id } }}
            act={{ label: asksForSignIn(need) ? "Sign in" : "Look" }}
          />
        ))}
      </Group>
      <Group
        name="Waiting for your approval"
        count={needs.sources.length}
        remark="approving charges the credits"
      >
        {needs.sources.map((source) => (
          <WorkRow
            key={source.id}
            tone="waiting"
            title={sourceName(source)}
            why={
              <>
                Made by <Person id={source.created_by_user_id} of={source.creator} />
                {typeof source.document_count === "number" &&
                  `, ${source.document_count === 1 ? "1 document" : `${source.document_count} documents`}`}
              </>
            }
            weight={typeof source.estimated_credits === "number" ? creditWords(source.estimated_credits) : ""}
            age={<Ago at={source.created_at} />}
            link={{ to: "/knowledge/$sourceId", params: { sourceId: source.id } }}
            act={{ label: "Review" }}
          />
        ))}
      </Group>
      <Group name="Graded “needs attention”" count={needs.grades.length} remark="in the last 24 hours">
        {needs.grades.map((grade) => (
          <WorkRow
            key={grade.agentId}
            tone="failed"
            title={`${grade.name}: ${counted(grade.count, grade.noun)}`}
            why={`of ${counted(grade.of, grade.noun)}`}
            link={{
              to: "/agents/$agentId/evaluations",
              params: { agentId: grade.agentId },
              search: { days: 7, grade: "needs_attention" },
            }}
            act={{ label: "Read" }}
          />
        ))}
      </Group>
    </>
  );
}

/** Whether a sign-in is what it waits for; a changed tool or a missing answer asks for a look. */
const asksForSignIn = ({ waits }: ServerNeed): boolean => waits === "sign-in" || waits === "sign-in-again";

/** Why it does not answer, else what it is for. */
function whyOf({ row, waits, isMine }: ServerNeed): string {
  const failure = (isMine ? row.mine : row.team)?.connection?.failure;
  if (waits === "no-answer" && failure) return failureParts(failure).sentence;
  return row.server.description ?? "";
}

function Group({
  name,
  count,
  remark,
  children,
}: {
  name: string;
  count: number;
  remark: string;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section aria-label={name}>
      <h3 className="flex h-row-group items-center border-b bg-surface-sunken pr-edge-right pl-edge-left [&>span]:flex-1">
        <GroupHead name={name} count={count} remark={<span className="max-sm:hidden">{remark}</span>} />
      </h3>
      <ul>{children}</ul>
    </section>
  );
}
