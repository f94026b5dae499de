import { useState } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { Button } from "../../../ui/Button.tsx";
import { Popover, PopoverClose } from "../../../ui/Popover.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import type { NamedTarget } from "./ToolsSection.tsx";

type Props = {
  offReason: string | undefined;
  used: readonly AgentTool[];
  servers: readonly NamedTarget[] | null;
  flows: readonly NamedTarget[] | null;
  onAdd: (tool: AgentTool) => void;
};

/** Adds a server with all its tools, or a flow. What the agent has already is not offered again. */
export function AddTool({ offReason, used, servers, flows, onAdd }: Props) {
  const [query, setQuery] = useState("");
  const wanted = query.trim().toLowerCase();
  const fits = ({ id, name }: NamedTarget) => `${name} ${id}`.toLowerCase().includes(wanted);
  const groups = [
    {
      label: "MCP servers",
      key: "server_id",
      all: servers,
      left: servers?.filter((one) => fits(one) && !used.some((tool) => tool.server_id === one.id)),
    },
    {
      label: "Flows",
      key: "saved_item_id",
      all: flows,
      left: flows?.filter((one) => fits(one) && !used.some((tool) => tool.saved_item_id === one.id)),
    },
  ] as const;
  const button = (
    <Button size="small" disabledReason={offReason} reasonAs="title">
      Add
    </Button>
  );
  if (offReason !== undefined) return button;
  return (
    <Popover label="Add a tool" align="end" trigger={button} className="w-[340px] p-2!">
      <SearchInput
        label="Find a server or a flow"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {groups.map(({ label, key, all, left }) => (
        <section key={key} aria-label={label} className="mt-2">
          <h4 className="px-2 pb-1 text-faint text-secondary">{label}</h4>
          {left && left.length > 0 ? (
            <ul className="max-h-52 overflow-y-auto">
              {left.map((one) => (
                <li key={one.id}>
                  <PopoverClose asChild>
                    <button
                      type="button"
                      onClick={() => onAdd({ type: one.type, [key]: one.id })}
                      className="focus-inset flex h-[30px] w-full items-center gap-2 rounded-tag px-2 text-left hover:bg-surface-raised-hover max-sm:h-10"
                    >
                      <span className="min-w-0 flex-1 truncate">{one.name}</span>
                      <span className="text-muted text-secondary">
                        {one.isSignedOut
                          ? "you are signed out"
                          : one.toolCount === null
                            ? ""
                            : `${one.toolCount} ${one.toolCount === 1 ? "tool" : "tools"}`}
                      </span>
                    </button>
                  </PopoverClose>
                </li>
              ))}
            </ul>
          ) : (
            <p className="px-2 text-muted text-secondary">
              {all === null
                ? "The service lists none"
                : all.length === 0
                  ? "There are none"
                  : wanted === ""
                    ? "The agent has all of them"
                    : "None fits"}
            </p>
          )}
        </section>
      ))}
    </Popover>
  );
}
