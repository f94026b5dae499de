import { Command } from "cmdk";
import Search from "lucide-react/icons/search";
import { type ReactNode, useState } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { builtinTools } from "../../../../contract/builtin-tools.ts";
import { useCan } from "../../../lib/api.tsx";
import { cx } from "../../../ui/cx.ts";
import { KeyHints } from "../../../ui/Kbd.tsx";
import { toneWord } from "../../../ui/State.tsx";
import { builtinWords } from "../agent/tools.ts";
import { Item, ServerItems } from "./PickerItems.tsx";
import {
  givenOf,
  hasBuiltin,
  hasFlow,
  type ToolSelection,
  toggleBuiltin,
  toggleFlow,
  toggleServer,
} from "./selection.ts";
import type { ToolTarget, ToolTargets } from "./ToolNames.tsx";

export type PickerProps = ToolSelection & {
  readonly targets: ToolTargets;
  readonly onChange: (tools: AgentTool[]) => void;
};

/** So many servers and flows are drawn without a search; the rest is found by words. */
const most = 60;

/**
 * Everything that an agent may be given, in one list: the service's own tools, the tools of each server, flows. What it
 * has is ticked; Enter or a click gives a thing or takes it away, and the list stays open.
 */
export function PickerList({ targets, onChange, ...picked }: PickerProps) {
  const [text, setText] = useState("");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const hasBuiltins = useCan("builtin_tools");
  const canAsk = useCan("inbox");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (...where: string[]) => {
    const all = where.join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const builtins = hasBuiltins ? builtinTools.filter((one) => fits(one, builtinWords[one], "built in")) : [];
  const ofTarget = ({ name, id, about }: ToolTarget) => fits(name, id, about);
  // A server that is opened stays: the words may be those of one of its tools.
  const servers = (targets.servers ?? []).filter((one) => ofTarget(one) || opened.has(one.id));
  const flows = (targets.flows ?? []).filter((one) => fits(one.name, one.id, one.about, "flow"));
  const open = (id: string) =>
    setOpened((old) => new Set(old.has(id) ? [...old].filter((one) => one !== id) : [...old, id]));
  const runsAll = hasBuiltins && hasBuiltin(picked, "run_flow");
  return (
    <Command label="Tools" shouldFilter={false} loop className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b px-3">
        <Search className="text-muted" />
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder="Find a tool, server or flow"
          className="h-9 min-w-0 flex-1 bg-transparent outline-none max-sm:h-11"
        />
      </div>
      <Command.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1">
        {builtins.length > 0 && (
          <Group heading="Built in">
            {builtins.map((type) => (
              <Item
                key={type}
                id={`built in ${type}`}
                given={hasBuiltin(picked, type) ? "all" : "none"}
                name={type}
                isMono
                about={builtinWords[type]}
                onPick={() => onChange(toggleBuiltin(picked, type))}
              />
            ))}
          </Group>
        )}
        {servers.slice(0, most).map((server) => (
          <Group
            key={server.id}
            heading={
              <>
                <bdi className="min-w-0 truncate">{server.name}</bdi>
                {server.trouble && (
                  <span className={cx("shrink-0", toneWord[server.trouble.tone])}>{server.trouble.word}</span>
                )}
              </>
            }
          >
            {(ofTarget(server) || words.length === 0) && (
              <Item
                id={`server ${server.id}`}
                given={givenOf(picked, server.id)}
                name={server.toolCount === 1 ? "Its one tool" : "All tools"}
                label={`All tools of ${server.name}`}
                about={
                  server.toolCount !== null && server.toolCount > 1
                    ? `${server.toolCount} now, and any it adds later`
                    : "Including any it adds later"
                }
                onPick={() => onChange(toggleServer(picked, server))}
              />
            )}
            <ServerItems
              server={server}
              picked={picked}
              isOpen={opened.has(server.id)}
              fits={(...where) => ofTarget(server) || fits(...where)}
              onOpen={() => open(server.id)}
              onChange={onChange}
            />
          </Group>
        ))}
        {flows.length > 0 && (
          <Group heading="Flows">
            {runsAll && (
              <div className="px-2 pb-1 text-muted text-secondary">
                run_flow is added: it can run any flow.
              </div>
            )}
            {flows.slice(0, most).map((flow) => (
              <Item
                key={flow.id}
                id={`flow ${flow.id}`}
                given={hasFlow(picked, flow.id) ? "all" : "none"}
                name={flow.name}
                about={flow.about || flow.id}
                onPick={() => onChange(toggleFlow(picked, flow.id))}
              />
            ))}
          </Group>
        )}
        {(servers.length > most || flows.length > most) && (
          <div className="px-2 py-1.5 text-muted text-secondary">Search by name to find more.</div>
        )}
        {builtins.length + servers.length + flows.length === 0 && (
          <div className="px-2 py-3 text-muted text-secondary">
            {targets.isPending
              ? "Loading servers and flows…"
              : words.length > 0
                ? "No matches"
                : "This service has no servers or flows."}
          </div>
        )}
      </Command.List>
      <footer className="flex shrink-0 flex-col gap-1.5 border-t px-3 py-2 text-muted text-secondary">
        <p>
          {canAsk
            ? "“Asks first” is set per server; each tool has its own setting under Approvals."
            : hasBuiltins
              ? "“Asks first” is set per server. This service can’t ask anyone, so it refuses such calls. Built-in tools and flows never ask."
              : "“Asks first” is set per server; the service decides whom to ask."}
        </p>
        <p className="flex gap-3 max-sm:hidden">
          <KeyHints hints={hints} />
        </p>
      </footer>
    </Command>
  );
}

const hints = [
  { keys: ["↑", "↓"], does: "move" },
  { keys: ["enter"], does: "add or remove" },
];

function Group({ heading, children }: { heading: ReactNode; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:flex [&_[cmdk-group-heading]]:gap-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-secondary"
    >
      {children}
    </Command.Group>
  );
}
