import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Received } from "../../../contract/define.ts";
import type { McpTool, McpTrialAsks } from "../../../contract/mcp.ts";
import { useApi } from "../../lib/api.tsx";
import { problemWords, readJsonObject } from "../../lib/code-editor/read-json.ts";
import { NotDone } from "../../lib/failure/Failure.tsx";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { formatDuration } from "../../lib/time/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Field, Textarea } from "../../ui/Field.tsx";
import { State } from "../../ui/State.tsx";
import { type ToolTrial as Call, mcpMutations } from "./queries.ts";
import { TrialQuestions } from "./TrialQuestions.tsx";

/** A call in the middle of which the server asks. */
type Paused = Pick<Call, "args" | "answered"> & { readonly asks: Received<McpTrialAsks> };

type Props = { tool: Received<McpTool>; serverId: string; serverName: string; teamId: string | null };

/** Calls a tool by hand, for real and with these arguments alone; what it answers is shown as it came. */
export function ToolTrial({ tool, serverId, serverName, teamId }: Props) {
  const [isAsked, setAsked] = useState(false);
  const missing = useMissingRight(teamId, "operate");
  const [typed, setTyped] = useState(() => firstArguments(tool.input_schema));
  // What was answered stays until the server has it.
  const [paused, setPaused] = useState<Paused | null>(null);
  const trial = useMutation(mcpMutations.callTool(useApi()));
  const read = typed.trim() === "" ? readJsonObject("{}") : readJsonObject(typed);
  if (!isAsked) {
    return (
      <Button size="small" className="self-start" disabledReason={missing} onClick={() => setAsked(true)}>
        Try it…
      </Button>
    );
  }
  const answer = trial.data?.data;
  const call = (args: Call["args"], answered: Call["answered"]) => {
    const made = { serverId, teamId, tool: tool.name ?? "", args, answered };
    trial.mutate(made, {
      onSuccess: ({ data: { asks } }) => setPaused(asks ? { args, answered, asks } : null),
    });
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label="Arguments" error={!read.ok && `${problemWords(read.problem)}.`}>
        <Textarea
          // In the place of the button that had the focus.
          autoFocus
          isMono
          rows={4}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button
        size="small"
        className="self-start"
        loading={trial.isPending && paused === null}
        disabledReason={read.ok ? undefined : "Fix the arguments first"}
        onClick={() => {
          if (!read.ok) return;
          setPaused(null);
          call(read.value as Record<string, unknown>, []);
        }}
      >
        Call tool as {teamId === null ? "you" : "the team"}
      </Button>
      {trial.error !== null && <NotDone error={trial.error} title="The tool call failed" />}
      {paused !== null && (
        <TrialQuestions
          // A server that asks again asks something else.
          key={paused.answered.length}
          asks={paused.asks}
          server={serverName}
          isSending={trial.isPending}
          onAnswered={(round) => call(paused.args, [...paused.answered, round])}
        />
      )}
      {answer && !answer.asks && (
        <section aria-label="Tool result" className="rounded-control border">
          <p className="flex items-center justify-between gap-3 border-b px-2.5 py-1.5 text-secondary">
            <State
              tone={answer.is_error ? "failed" : "done"}
              word={answer.is_error ? "tool error" : "done"}
            />
            <span className="text-muted tabular-nums">{took(answer.duration_ms)}</span>
          </p>
          <div className="flex max-h-80 flex-col gap-2 overflow-auto p-2.5">
            {(answer.content ?? []).map((block, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity and never move
              <JsonView key={at} value={textOf(block)} label={`Result part ${at + 1}`} />
            ))}
            {answer.structured_content !== undefined && (
              <JsonView value={answer.structured_content} label="Structured result" />
            )}
          </div>
        </section>
      )}
    </div>
  );
}

const took = (ms: number | null | undefined): string =>
  ms == null ? "" : formatDuration(ms, { fine: true });

/** A block of text as its text; any other as it came. */
function textOf(block: unknown): unknown {
  const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string" ? text : block;
}

/** Arguments to begin with: every required property of a JSON Schema, with its default or an empty value of its type. */
function firstArguments(schema: unknown): string {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  const names = Array.isArray(required)
    ? required.filter((one): one is string => typeof one === "string")
    : [];
  const shapes = (typeof properties === "object" && properties !== null ? properties : {}) as Record<
    string,
    unknown
  >;
  const entries = names.map((name) => [name, firstValue(Object.hasOwn(shapes, name) ? shapes[name] : null)]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

function firstValue(schema: unknown): unknown {
  const { type, default: given, enum: values } = (schema ?? {}) as Record<string, unknown>;
  if (given !== undefined) return given;
  if (Array.isArray(values)) return values[0];
  switch (type) {
    case "number":
    case "integer":
      return 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "";
  }
}
