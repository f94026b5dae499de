import { Link, useNavigate } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { createEvaluation } from "../../../contract/evaluations.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlOfCall } from "../../lib/curl.ts";
import { TableList } from "../../lib/list/ListView.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { type MissingRight, useMissingRights } from "../../lib/rights/rights.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { State } from "../../ui/State.tsx";
import type { Columns } from "../../ui/Table.tsx";
import { DeleteEvaluation } from "./DeleteById.tsx";
import { type RubricIn, rubricPages } from "./queries.ts";
import { newRubric } from "./search.ts";

/** Rubrics that several agents share: whether they run, what they judged, and where each is looked at (§3.6, §4.13). */
export function Rubrics() {
  const api = useApi();
  const canLook = useCan("rubric_edit");
  const list = usePages(rubricPages(api));
  const { rows: rubrics, more } = list;
  const [asked, setAsked] = useState<RubricIn | null>(null);
  const missing = useMissingRights(rubrics.some(({ team_id }) => team_id != null));
  return (
    <>
      <TableList
        list={list}
        what="The saved rubrics"
        table={{
          label: "Saved rubrics",
          columns: columns({ rubrics, canLook, missing, onDelete: setAsked }),
          rows: rubrics,
          idOf: ({ id }) => id,
        }}
        {...(canLook && { phone: (rubric: RubricIn) => <PhoneRow rubric={rubric} /> })}
        empty={<NoRubrics />}
        foot={`${more ? "Newest " : ""}${counted(rubrics.length, "saved rubric")}`}
      />
      {asked && (
        <DeleteRubric
          key={asked.id}
          rubric={asked}
          canSwitchOff={canLook}
          onClose={() => setAsked(null)}
          onDeleted={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Makes a rubric; a team's key is nobody whose it could be. */
export function NewRubric() {
  const navigate = useNavigate();
  const isTeamKey = useApi().who.kind === "team";
  return (
    <Button
      icon={<Plus />}
      onClick={() => void navigate({ to: "/evaluations", search: { tab: "rubrics", rubric: newRubric } })}
      {...(isTeamKey && { disabledReason: "A new rubric needs a personal key", reasonAs: "title" })}
    >
      New rubric
    </Button>
  );
}

type Shown = {
  rubrics: readonly RubricIn[];
  canLook: boolean;
  missing: MissingRight;
  onDelete: (rubric: RubricIn) => void;
};

const columns = ({ rubrics, canLook, missing, onDelete }: Shown): Columns<RubricIn> => ({
  rubric: {
    head: "Rubric",
    cell: (rubric) => (
      <>
        <Name rubric={rubric} canLook={canLook} />
        <span className="ml-2.5 text-muted text-secondary">{rubric.description}</span>
      </>
    ),
  },
  state: {
    head: "State",
    width: 88,
    kind: "muted",
    cell: (rubric) => <IsOn rubric={rubric} />,
  },
  judge: {
    head: "Model",
    width: 168,
    kind: "support",
    className: "@max-[980px]:hidden",
    // Who judges by it.
    cell: ({ config }) => config?.model_name || "each agent’s own model",
  },
  criteria: {
    head: "Criteria",
    width: 88,
    kind: "figure",
    className: "@max-[680px]:hidden",
    cell: ({ config }) => config?.criteria?.length ?? "–",
  },
  judged: rubrics.some((one) => amountWords(one) !== null) && {
    head: "Evaluated",
    width: 248,
    kind: "support",
    className: "@max-[820px]:hidden",
    cell: (rubric) => amountWords(rubric) ?? "–",
  },
  changed: {
    head: "Changed",
    width: 120,
    kind: "support",
    className: "@max-[1100px]:hidden",
    cell: (rubric) => <Ago at={rubric.updated_at} />,
  },
  actions: {
    head: <span className="sr-only">Actions</span>,
    width: 96,
    cellClass: "text-right",
    cell: (rubric) => (
      <Button
        size="small"
        variant="quiet"
        className="-my-1"
        disabledReason={missing(rubric.team_id, "edit")}
        reasonAs="title"
        onClick={() => onDelete(rubric)}
      >
        Delete…
      </Button>
    ),
  },
});

type OfRow = { rubric: RubricIn; canLook: boolean };

function Name({ rubric, canLook }: OfRow) {
  const name = <bdi className="font-medium">{rubricName(rubric)}</bdi>;
  if (!canLook) return name;
  return (
    <Link to="/evaluations" search={{ tab: "rubrics", rubric: rubric.id }}>
      {name}
    </Link>
  );
}

const IsOn = ({ rubric: { enabled } }: { rubric: RubricIn }) => (
  <State tone={enabled ? "done" : "waiting"} word={enabled ? "on" : "off"} />
);

/** The rubric's own page deletes it. */
function PhoneRow({ rubric }: { rubric: RubricIn }) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <Name rubric={rubric} canLook />
        </span>
        <span className="block truncate text-muted text-secondary">{rubric.description}</span>
      </span>
      <span className="text-muted">
        <IsOn rubric={rubric} />
      </span>
    </div>
  );
}

function NoRubrics() {
  const api = useApi();
  return (
    <EmptyState
      title="No saved rubrics"
      actions={<NewRubric />}
      curl={curlOfCall(api, createEvaluation, {
        body: {
          name: "No promises",
          config: { criteria: [{ name: "No promises", prompt: "guarantee", type: "prohibited_words" }] },
        },
      })}
    >
      A saved rubric applies to all agents of its team, or all of its owner’s agents, in addition to each
      agent’s own criteria.
    </EmptyState>
  );
}

type Props = { rubric: RubricIn; onClose: () => void; onDeleted: () => void; canSwitchOff: boolean };

/** Asks before a saved rubric is deleted (§3.6, §4.13). */
export function DeleteRubric({ rubric, canSwitchOff, ...rest }: Props) {
  return (
    <DeleteEvaluation
      {...rest}
      {...{ id: rubric.id, name: rubricName(rubric), noun: "rubric" }}
      remark={canSwitchOff && rubric.enabled ? " To only stop it, turn it off." : ""}
      isGone="It was already deleted."
    />
  );
}

/** A rubric by its name, else by its id. */
export const rubricName = (rubric: Pick<RubricIn, "id" | "name">): string =>
  shownName(rubric.name || rubric.id);

/** Which conversations it judges: "all agents of team Harbor". */
export function reachWords(teamId: string | null | undefined, teamName: (id: string) => string): string {
  if (teamId === undefined) return "its team’s or its owner’s agents";
  return teamId === null ? "your agents" : `all agents of team ${teamName(teamId)}`;
}

/** How much it judged lately: "12 conversations of 3 agents in 30 days"; null where the service does not say. */
export function amountWords({ use }: RubricIn): string | null {
  if (typeof use?.sessions !== "number") return null;
  const days = typeof use.days === "number" ? ` in ${counted(use.days, "day")}` : "";
  if (use.sessions === 0) return `nothing${days}`;
  const agents = typeof use.agents === "number" ? ` of ${counted(use.agents, "agent")}` : "";
  return `${counted(use.sessions, "conversation")}${agents}${days}`;
}
