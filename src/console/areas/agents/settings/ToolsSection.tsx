import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useId, useRef, useState } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { useCan } from "../../../lib/api.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { useFocusKept } from "../../../lib/page/useFocusKept.ts";
import { shownName } from "../../../lib/shownName.ts";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { toneWord } from "../../../ui/State.tsx";
import {
  approvalLabel,
  builtinOf,
  builtinWords,
  hasAllTools,
  nameOfTool,
  searchedSources,
  type ToolLine,
  toolLines,
  withApproval,
  withTool,
} from "../agent/tools.ts";
import type { PickerProps } from "../tools/PickerList.tsx";
import { type ToolTargets, useToolTargets } from "../tools/ToolNames.tsx";
import { ToolPicker } from "../tools/ToolPicker.tsx";
import { type AgentForm, offReasonOf } from "./form.ts";
import { EditedMark, FieldMarks, Section } from "./Section.tsx";
import { SearchedSources, ServerTools } from "./ServerTools.tsx";

/** What the agent may use: servers with their tools, flows, built-in tools, and kinds that only the service knows. */
export function ToolsSection({ form }: { form: AgentForm }) {
  const targets = useToolTargets();
  const hasBuiltins = useCan("builtin_tools");
  const kinds = form.mine.tools.map((tool) =>
    hasBuiltins && builtinOf(tool) !== null ? "built-in tool" : nameOfTool(tool).kind,
  );
  const tools = {
    base: form.base.tools,
    mine: form.mine.tools,
    targets,
    offReason: offReasonOf(form, "tools"),
    onChange: (next: AgentTool[]) => form.write({ tools: next }),
  };
  return (
    <Section
      id="tools"
      title="Tools"
      mark={
        <>
          <span className="text-muted text-secondary">{kindsLabel(kinds)}</span>
          <FieldMarks form={form} path="tools" />
        </>
      }
      aside={<ToolPicker {...tools} />}
    >
      <ToolList {...tools} />
    </Section>
  );
}

/** The tools of a draft, each to be changed or taken out; those that differ from `base` say so. */
export function ToolList({ base, mine, targets, offReason, onChange }: PickerProps & OffReason) {
  const lines = toolLines(base, mine);
  const edited = lines.filter((line) => line.mark !== null).length;
  const place = useRef<HTMLDivElement>(null);
  useFocusKept(lines.map(({ identity, mark }) => `${identity} ${mark}`).join(), place);
  return (
    <div ref={place} tabIndex={-1} className="focus-inset">
      {lines.length === 0 ? (
        <p className="text-muted">None: the agent only replies.</p>
      ) : (
        <ul aria-label={`Tools${edited > 0 ? `, ${edited} edited` : ""}`} className="border-t">
          {lines.map((line) => (
            <ToolRow
              key={line.identity}
              line={line}
              targets={targets}
              offReason={offReason}
              onTool={(tool) => onChange(withTool(base, mine, line.identity, tool))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

type OffReason = { readonly offReason: string | undefined };

const kindsInOrder = ["server", "flow", "built-in tool", "other"] as const;

/** "7 servers and 1 flow", "2 servers, 1 flow and 2 built-in tools" */
function kindsLabel(kinds: readonly (typeof kindsInOrder)[number][]): string {
  const words = kindsInOrder.flatMap((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    return count === 0 ? [] : [counted(count, kind, kind === "other" ? kind : undefined)];
  });
  return joinNames(words);
}

type Props = {
  line: ToolLine;
  targets: ToolTargets;
  offReason: string | undefined;
  /** Null: taken out. */
  onTool: (tool: AgentTool | null) => void;
};

/** One tool: its name, how much of it, whether a person is asked first, and more behind its name. */
function ToolRow({ line, targets, offReason, onTool }: Props) {
  const { tool, was, mark } = line;
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  const { kind, id } = nameOfTool(tool);
  const known = (kind === "server" ? targets.servers : targets.flows)?.find((one) => one.id === id);
  const name = targets.nameOf(tool);
  const isOurs = useCan("builtin_tools");
  const builtin = isOurs ? builtinOf(tool) : null;
  const isGone = mark === "removed";
  const canAsk = useCan("inbox");
  const isRefused = isOurs && !canAsk && kind === "server" && !isGone && tool.approval_mode === "all";
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="border-b">
      <div className="flex min-h-[38px] flex-wrap items-center gap-x-3 gap-y-1 py-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
          className={cx(
            "focus-inset flex min-w-0 flex-1 items-center gap-2.5 rounded-tag text-left font-medium max-sm:min-h-control max-sm:basis-full",
            isGone && "text-faint line-through",
          )}
        >
          <Chevron className="text-muted" />
          <bdi className={cx("min-w-0 truncate", kind === "other" && "text-mono")}>{name}</bdi>
          {known?.trouble && (
            <span className={cx("shrink-0 font-normal text-secondary", toneWord[known.trouble.tone])}>
              {known.trouble.word}
            </span>
          )}
        </button>
        <span className="w-24 shrink-0 text-muted text-secondary tabular-nums max-sm:ml-6 max-sm:w-auto">
          {scopeOf(tool, kind, builtin !== null, known?.toolCount ?? null)}
        </span>
        <span className="w-[142px] shrink-0 empty:max-sm:hidden">
          {kind === "server" && !isGone && <Approval {...{ tool, was, name, offReason, onTool }} />}
        </span>
        <span className="w-14 shrink-0 text-right max-sm:ml-auto">
          {mark !== null && <EditedMark>{mark === "removed" ? "removed" : mark}</EditedMark>}
        </span>
      </div>
      {isRefused && (
        <p className="pb-1.5 pl-6 text-secondary text-state-stopped-fg">
          This service can’t ask anyone: every call of these tools is refused.
        </p>
      )}
      {isOpen && (
        <div id={bodyId} className="border-t bg-surface-sunken px-8 py-2.5 max-sm:px-3">
          {kind === "other" && (
            <p className="mb-1.5 text-muted text-secondary">
              {builtin !== null
                ? `${builtinWords[builtin]}.`
                : "A tool type the console does not know. It is kept unchanged."}
            </p>
          )}
          {kind === "server" && id !== null && !isGone ? (
            <ServerTools serverId={id} {...{ tool, was, offReason, onTool }} />
          ) : builtin === "search_knowledge" && !isGone ? (
            <SearchedSources {...{ tool, was, offReason, onTool }} />
          ) : (
            (builtin === null || Object.keys(tool).length > 1) && (
              <JsonView value={tool} label={`Tool ${name}`} />
            )
          )}
          <div className="mt-2 flex justify-end">
            <Button
              size="small"
              variant={isGone ? "plain" : "quiet"}
              disabledReason={offReason}
              reasonAs="title"
              onClick={() => {
                if (!isGone) setOpen(false);
                onTool(isGone ? (was ?? tool) : null);
              }}
            >
              {isGone ? "Restore" : `Remove ${name}`}
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}

type ApprovalProps = Omit<Props, "line" | "targets"> & Pick<ToolLine, "tool" | "was"> & { name: string };

function Approval({ tool, was, name, offReason, onTool }: ApprovalProps) {
  const mode = tool.approval_mode ?? "off";
  const isKnown = mode === "off" || mode === "all";
  if (offReason !== undefined)
    return <span className="text-muted text-secondary">{approvalLabel(mode, "no approval")}</span>;
  return (
    <Segmented
      label={`Calls of ${name}`}
      options={[
        { value: "off", label: "Auto" },
        { value: "all", label: "Asks first" },
        // A mode that we do not know stays what it is until somebody chooses another.
        ...(isKnown ? [] : [{ value: mode, label: shownName(mode) }]),
      ]}
      value={mode}
      onChange={(next) => onTool(withApproval(tool, was, next))}
    />
  );
}

/** "4 of 12 tools", "all 12 tools", "built in", "2 sources" */
function scopeOf(tool: AgentTool, kind: string, isBuiltin: boolean, count: number | null): string {
  if (isBuiltin) {
    const sources = tool.type === "search_knowledge" ? searchedSources(tool)?.length : undefined;
    return sources === undefined ? "built in" : counted(sources, "source");
  }
  if (kind !== "server") return kind === "other" ? "custom" : "";
  if (hasAllTools(tool)) return count === null ? "all tools" : `all ${counted(count, "tool")}`;
  const chosen = tool.allowed_tool_call_ids?.length ?? 0;
  return count === null ? counted(chosen, "tool") : `${chosen} of ${count} tools`;
}
