import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Tone } from "../../../contract/states.ts";
import { creditWords, sourceName } from "../../components/knowledge/sources.ts";
import { connectionWords, needOf, serverName } from "../../components/mcp/servers.ts";
import type { Needs as NeedsRead, ServerNeed } from "../../components/needs/useNeeds.ts";
import { Ago } from "../../components/time/Time.tsx";
import { usePerson } from "../../components/usePerson.ts";
import { StateShape } from "../../ui/StateShape.tsx";
import { GroupHead } from "../../ui/Table.tsx";

/** What waits for this person beside runs: servers to sign in to, drafts to approve, sessions that need attention. */
export function Needs({ needs }: { needs: NeedsRead }) {
  const person = usePerson();
  return (
    <>
      <Group name="MCP servers" count={needs.servers.length} remark="what runs as you cannot call them">
        {needs.servers.map((need) => (
          <Row
            key={need.row.id}
            tone={connectionWords(need.row.mine ?? need.row.team)?.tone ?? "waiting"}
            title={`${serverName(need.row.server)} ${serverWords(need)}`}
            why={need.row.server.description ?? ""}
            weight={
              need.agents === null
                ? ""
                : need.agents === 1
                  ? "1 agent uses it"
                  : `${need.agents} agents use it`
            }
            link={{ to: "/mcp", search: { server: need.row.id } }}
          />
        ))}
      </Group>
      <Group
        name="Waiting for your approval"
        count={needs.sources.length}
        remark="approving charges the credits"
      >
        {needs.sources.map((source) => (
          <Row
            key={source.id}
            tone="waiting"
            title={sourceName(source)}
            why={`Made by ${source.creator?.first_name || person(source.created_by_user_id)}${
              typeof source.document_count === "number"
                ? `, ${source.document_count === 1 ? "1 document" : `${source.document_count} documents`}`
                : ""
            }`}
            weight={typeof source.estimated_credits === "number" ? creditWords(source.estimated_credits) : ""}
            age={<Ago at={source.created_at} />}
            link={{ to: "/knowledge/$sourceId", params: { sourceId: source.id } }}
          />
        ))}
      </Group>
      <Group name="Graded “needs attention”" count={needs.grades.length} remark="in the last 24 hours">
        {needs.grades.map((grade) => (
          <Row
            key={grade.agentId}
            tone="failed"
            title={`${grade.name}: ${grade.count === 1 ? "1 conversation" : `${grade.count} conversations`}`}
            why={`of ${grade.of} that were graded`}
            weight=""
            link={{
              to: "/agents/$agentId/evaluations",
              params: { agentId: grade.agentId },
              search: { days: 7, grade: "needs_attention" },
            }}
          />
        ))}
      </Group>
    </>
  );
}

function serverWords({ row }: ServerNeed): string {
  switch (needOf(row.mine) ?? needOf(row.team)) {
    case "sign-in-again":
      return "no longer accepts the sign-in";
    case "tools-changed":
      return "has changed its tools";
    case "no-answer":
      return "does not answer";
    case "blocked":
      return "is blocked";
    default:
      return "waits for a sign-in";
  }
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

type RowProps = {
  tone: Tone;
  title: string;
  why: string;
  weight: string;
  age?: ReactNode;
  link: LinkProps;
};

function Row({ tone, title, why, weight, age, link }: RowProps) {
  return (
    <li className="relative flex min-h-row-tall items-start gap-3 border-b py-2 pr-edge-right pl-edge-left hover:bg-surface-hover">
      <StateShape tone={tone} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={title}>
          <Link {...link} data-work="" className="focus-inset after:absolute after:inset-0">
            <bdi>{title}</bdi>
          </Link>
        </p>
        <p className="truncate text-muted text-secondary">
          <bdi>{why}</bdi>
        </p>
      </div>
      <span className="shrink-0 text-secondary leading-5 tabular-nums max-sm:hidden">{weight}</span>
      <span className="w-[68px] shrink-0 text-right text-muted text-secondary leading-5">{age}</span>
    </li>
  );
}
