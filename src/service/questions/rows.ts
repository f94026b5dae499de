import { type RawBuilder, sql } from "kysely";
import type { AttachedRow } from "../engine/attached-rows.ts";
import { turnedFrom } from "../engine/clock-turned-back.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import type { ApprovalRule } from "../store/schema-approvals.ts";

/** What every question has as it is written with the step that waits for its answer. */
interface AskedQuestion {
  readonly id: string;
  readonly stepKey: string;
  /** For whom it is asked. */
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly definition: { readonly [key: string]: JsonValue };
  readonly who: ApprovalRule;
  readonly people: readonly string[];
  readonly lapseSeconds: number;
}

/** A call of a tool, which runs if a person agrees, or whose server asks something. */
export interface AskedCall extends AskedQuestion {
  readonly kind: "tool_call" | "server";
  readonly interactionId: string;
  readonly messageSeq: number;
  readonly partId: string;
  readonly agentId: string;
  readonly toolCallId: string;
  readonly definitionHash: string;
  readonly argumentsText: string;
  /** The step of the question in whose place this one stands. */
  readonly againForStep: string | null;
}

/** What a node of a flow asks, or the server of a tool that it calls. */
export interface AskedByFlow extends AskedQuestion {
  readonly runId: string;
  readonly flowId: string;
  /** Null: the node itself asks. */
  readonly call: Pick<AskedCall, "toolCallId" | "definitionHash" | "argumentsText"> | null;
}

/** The question as rows of its step; one in whose place it stands has ended with it: the tool had changed. */
export function askedRows(asked: AskedCall | AskedByFlow): AttachedRow {
  const { id, stepKey, userId, teamId, definition, who, people, lapseSeconds } = asked;
  const call = "runId" in asked ? asked.call : asked;
  const kind = "runId" in asked ? (call === null ? "flow" : "server") : asked.kind;
  const ofCall = call && {
    tool_call_id: call.toolCallId,
    definition_hash: call.definitionHash,
    arguments: call.argumentsText,
  };
  const of =
    "runId" in asked
      ? { run_id: asked.runId, flow_id: asked.flowId }
      : {
          ...{ interaction_id: asked.interactionId, message_seq: asked.messageSeq, part_id: asked.partId },
          ...{ agent_id: asked.agentId, again_for_step: asked.againForStep },
        };
  const row = { id, step_key: stepKey, user_id: userId, team_id: teamId, definition };
  return {
    write: writeAsked,
    row: { ...row, who: possibleRule(who, asked), people, lapse_s: lapseSeconds, kind, ...ofCall, ...of },
  };
}

/** A person where there is none are the operators, and operators without a team are the person. */
function possibleRule(
  who: ApprovalRule,
  { userId, teamId }: Pick<AskedQuestion, "userId" | "teamId">,
): ApprovalRule {
  if (who === "person" && userId === null) return "operators";
  return who === "operators" && teamId === null ? "person" : who;
}

function writeAsked(rows: readonly JsonValue[]): RawBuilder<unknown> {
  return sql`asked as (
      select asked.* from recorded join json_to_recordset(${toJson(rows)}::json)
             as asked (execution_id text, id text, kind text, step_key text, interaction_id text, message_seq integer,
                       part_id text, agent_id text, run_id text, flow_id text, user_id text, team_id text,
                       tool_call_id text, definition json, definition_hash text, arguments text, who text, people json,
                       again_for_step text, lapse_s float8)
          on asked.execution_id = recorded.execution_id
    ), asked_before as (
      update approvals set state = 'tool_changed', ended_at = coalesce(ended_at, clock_timestamp())
        from asked where approvals.execution_id = asked.execution_id and approvals.step_key = asked.again_for_step
      returning approvals.id, approvals.execution_id, approvals.step_key
    ), written_approvals as (
      insert into approvals (id, kind, execution_id, step_key, interaction_id, message_seq, part_id, agent_id, run_id, flow_id,
             user_id, team_id, tool_call_id, definition, definition_hash, arguments, who, people, again_for, lapses_at,
             turned_from)
      select asked.id, kind, asked.execution_id, asked.step_key, interaction_id, message_seq, part_id, agent_id, run_id,
             flow_id, user_id, team_id, tool_call_id, definition, definition_hash, arguments, who,
             array(select json_array_elements_text(people)), asked_before.id,
             clock_timestamp() + make_interval(secs => lapse_s), ${turnedFrom}
        from asked left join asked_before on asked_before.execution_id = asked.execution_id
                                         and asked_before.step_key = asked.again_for_step
      on conflict (execution_id, step_key) do nothing
    )`;
}

/** That nobody answered in time, as a row of the step of whoever finds it out. */
export function lapsedRows(stepKey: string): AttachedRow {
  return { write: writeLapsed, row: { step_key: stepKey } };
}

function writeLapsed(rows: readonly JsonValue[]): RawBuilder<unknown> {
  return sql`lapsed as (
      update approvals set state = 'lapsed', ended_at = lapses_at
        from recorded join json_to_recordset(${toJson(rows)}::json) as given (execution_id text, step_key text)
          on given.execution_id = recorded.execution_id
       where approvals.execution_id = given.execution_id and approvals.step_key = given.step_key
         and approvals.state = 'waiting'
    )`;
}
