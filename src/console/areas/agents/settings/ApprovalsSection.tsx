import { useQuery } from "@tanstack/react-query";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useId, useState } from "react";
import { type CallMode, callModes } from "../../../../contract/agent-settings.ts";
import type { AgentTool } from "../../../../contract/agents.ts";
import { describeError } from "../../../api/describe-error.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { isObject, type JsonObject, own } from "../../../lib/json/json-value.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { inboxQueries } from "../../inbox/index.ts";
import { useSignedIn } from "../../session/index.ts";
import {
  type Approvals,
  type Floor,
  type FloorsIn,
  floorOf,
  isStricter,
  modeByServer,
  readApprovals,
  withMode,
} from "../agent/approvals.ts";
import { builtinOf, hasAllTools, nameOfTool } from "../agent/tools.ts";
import { useServerTools, useToolTargets } from "../tools/ToolNames.tsx";
import { ApprovalRule } from "./ApprovalRule.tsx";
import { type AgentForm, offReasonOf, withoutSection, withSection } from "./form.ts";
import { FieldMarks, Section } from "./Section.tsx";

type Props = { form: AgentForm; approvals: Approvals };

/** The approvals as the form shows them; null where the service asks nobody, or they hold what no form could keep. */
export function useApprovalsForm(metadata: JsonObject): Approvals | null {
  const canAsk = useCan("inbox");
  return canAsk ? readApprovals(own(metadata, "approvals")) : null;
}

/** How each tool is called: at once, when a person has agreed, or never; who is asked, and for how long. */
export function ApprovalsSection({ form, approvals }: Props) {
  const read = useQuery(inboxQueries.approvals(useApi(), form.agentId));
  const facts = read.data?.data;
  const floors = facts?.floors ?? [];
  const value = own(form.mine.metadata, "approvals");
  const write = (next: unknown, path = "metadata.approvals") => {
    const isGone =
      isObject(next) && Object.keys(next).length === 0 && own(form.base.metadata, "approvals") === undefined;
    form.write(isGone ? withoutSection(form, "approvals") : withSection(form, "approvals", next), path);
  };
  const rows = form.mine.tools.filter(
    (tool) => nameOfTool(tool).kind !== "other" || builtinOf(tool) !== null,
  );
  const shared = {
    ...{ approvals, floors, offReason: offReasonOf(form, "metadata") },
    onMode: (id: string, mode: CallMode, byServer: CallMode) => write(withMode(value, id, mode, byServer)),
  };
  return (
    <Section
      id="metadata.approvals"
      title="Approvals"
      mark={<FieldMarks form={form} path="metadata.approvals" />}
    >
      <p className="mb-2 max-w-text text-muted">
        A call that asks waits in the inbox until someone answers. The model cannot approve anything, whatever
        a message, file or tool says.
      </p>
      {read.isError && (
        <p className="mb-2 text-secondary text-state-failed-fg">
          The team’s minimum could not be loaded. {describeError(read.error).what} It counts anyway.
        </p>
      )}
      {rows.length === 0 ? (
        <p className="mb-3 text-muted">No tools yet.</p>
      ) : (
        <ul aria-label="Approval of tools" className="mb-4 border-t">
          <ToolRows tools={rows} {...shared} />
        </ul>
      )}
      <ApprovalRule
        form={form}
        approvals={approvals}
        value={value}
        operators={facts?.operators ?? []}
        candidates={facts?.candidates ?? []}
        onValue={write}
      />
    </Section>
  );
}

type RowProps = {
  approvals: Approvals;
  floors: FloorsIn;
  offReason: string | undefined;
  onMode: (id: string, mode: CallMode, byServer: CallMode) => void;
};

/** Servers with their tools folded, and built-in tools, each once; flows as the one tool that runs them. */
function ToolRows({ tools, ...rest }: RowProps & { tools: readonly AgentTool[] }) {
  const named = tools.map((tool) => ({ tool, ...nameOfTool(tool) }));
  const servers = named.filter(
    ({ kind, id }, at) =>
      kind === "server" && at === named.findIndex((one) => one.kind === kind && one.id === id),
  );
  const builtins = tools.flatMap((tool) => {
    if (nameOfTool(tool).kind === "flow") return ["run_flow"];
    return builtinOf(tool) ?? [];
  });
  return (
    <>
      {servers.map(({ id, tool }) => (
        <Server key={id} tool={tool} {...rest} />
      ))}
      {[...new Set<string>(builtins)].map((id) => (
        <li key={id} className="border-b">
          <Mode id={id} name={id} byServer="run" {...rest} />
        </li>
      ))}
    </>
  );
}

/** The tools of a server are asked for when it is opened: each read asks the server itself. */
function Server({ tool, ...rest }: RowProps & { tool: AgentTool }) {
  const serverId = nameOfTool(tool).id ?? "";
  const name = useToolTargets([tool]).nameOf(tool);
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  const byServer = modeByServer(tool);
  const set = Object.keys(rest.approvals.tools).filter((id) => id.startsWith(`${serverId}__`));
  const { read, rows, noneWords } = useServerTools(
    serverId,
    [...new Set([...(tool.allowed_tool_call_ids ?? []), ...set])],
    isOpen,
  );
  const shown = hasAllTools(tool)
    ? rows
    : rows.filter(({ id }) => tool.allowed_tool_call_ids?.includes(id) || set.includes(id));
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => setOpen(!isOpen)}
        className="focus-inset flex min-h-[38px] w-full items-center gap-2.5 rounded-tag text-left font-medium"
      >
        <Chevron className="text-muted" />
        <bdi className="min-w-0 flex-1 truncate">{name}</bdi>{" "}
        <span className="shrink-0 font-normal text-muted text-secondary">
          {summary(
            set.map((id) => rest.approvals.tools[id] ?? byServer),
            byServer,
          )}
        </span>
      </button>
      {isOpen && (
        <ul id={bodyId} aria-label={`Tools of ${name}`} className="border-t bg-surface-sunken pl-6">
          {shown.map(({ id, name: word }) => (
            <li key={id} className="border-b last:border-b-0">
              <Mode id={id} name={word} byServer={byServer} {...rest} />
            </li>
          ))}
          {(shown.length === 0 || read.isError) && (
            <li className="py-2 text-muted text-secondary">{noneWords}</li>
          )}
        </ul>
      )}
    </li>
  );
}

const words: Readonly<Record<CallMode, string>> = { run: "Run", ask: "Ask", never: "Never" };

/** "run, 2 ask and 1 never": what holds for all, then the exceptions. */
function summary(modes: readonly CallMode[], byServer: CallMode): string {
  const others = callModes.flatMap((mode) => {
    const count = modes.filter((one) => one === mode && one !== byServer).length;
    return count === 0 ? [] : [`${count} ${words[mode].toLowerCase()}`];
  });
  const most = others.length === 0 ? "All" : "Others";
  return `${most} ${words[byServer].toLowerCase()}${others.length === 0 ? "" : `, ${joinNames(others)}`}`;
}

type ModeProps = RowProps & { id: string; name: string; byServer: CallMode };

/** One tool: how it is called, of the ways that the floor leaves. */
function Mode({ id, name, byServer, approvals, floors, offReason, onMode }: ModeProps) {
  const own = approvals.tools[id] ?? byServer;
  const floor = floorOf(id, floors);
  const isBelow = floor !== null && isStricter(floor.mode, own);
  const mode = isBelow ? floor.mode : own;
  const left = callModes.filter((one) => floor === null || !isStricter(floor.mode, one));
  return (
    <div className="flex min-h-[38px] flex-wrap items-center gap-x-3 gap-y-1 py-1">
      <bdi className="min-w-0 flex-1 truncate text-mono max-sm:basis-full">{shownName(name)}</bdi>
      {floor !== null && <FloorWords floor={floor} own={own} isBelow={isBelow} />}
      {offReason !== undefined || left.length === 1 ? (
        <span className="text-muted text-secondary" title={offReason}>
          {words[mode]}
        </span>
      ) : (
        <Segmented
          label={`Calls of ${shownName(name)}`}
          options={left.map((value) => ({ value, label: words[value] }))}
          value={mode}
          onChange={(next) => onMode(id, next, byServer)}
        />
      )}
    </div>
  );
}

function FloorWords({ floor, own, isBelow }: { floor: Floor; own: CallMode; isBelow: boolean }) {
  const { teams } = useSignedIn();
  const team = teams?.find(({ id }) => id === floor.teamId)?.name ?? floor.teamId;
  const whose = team === null ? "This service" : `Team ${shownName(team)}`;
  return (
    <span className="text-muted text-secondary">
      {whose}: at least {words[floor.mode].toLowerCase()}
      {isBelow && own !== "run" && `, instead of ${words[own].toLowerCase()}`}
    </span>
  );
}
