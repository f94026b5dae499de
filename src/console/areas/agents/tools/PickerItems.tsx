import { Command } from "cmdk";
import Check from "lucide-react/icons/check";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronRight from "lucide-react/icons/chevron-right";
import Minus from "lucide-react/icons/minus";
import type { ReactNode } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { describeError } from "../../../api/describe-error.ts";
import { cx } from "../../../ui/cx.ts";
import { failureParts } from "../../mcp/index.ts";
import { toolWord } from "../agent/tools.ts";
import {
  chosenOf,
  type Given,
  givenOf,
  hasServerTool,
  type ToolSelection,
  toggleServerTool,
} from "./selection.ts";
import { type ToolTarget, useServerTools } from "./ToolNames.tsx";

type ItemProps = {
  /** Of all items of the list. */
  id: string;
  given: Given;
  name: string;
  isMono?: boolean;
  /** Its name for those who listen, where what stands around it is part of it. */
  label?: string;
  about: string;
  onPick: () => void;
};

const itemClass =
  "flex min-h-[30px] cursor-default select-none gap-2.5 rounded-tag px-2 py-1.5 data-[selected=true]:bg-surface-raised-hover max-sm:min-h-11";

/** One thing to give: ticked where the agent has it, a bar where it has a part. */
export function Item({ id, given, name, isMono = false, label, about, onPick }: ItemProps) {
  return (
    <Command.Item
      value={id}
      onSelect={onPick}
      aria-checked={given === "some" ? "mixed" : given === "all"}
      {...(label !== undefined && { "aria-label": label })}
      className={cx(itemClass, "items-start")}
    >
      <span
        aria-hidden="true"
        className={cx(
          "mt-[3px] flex size-3.5 shrink-0 items-center justify-center rounded-mark border",
          given === "none" ? "border-line-check bg-surface-raised" : "border-accent-solid bg-accent-solid",
        )}
      >
        {given === "all" && <Check className="size-2.5! stroke-3! text-on-accent" />}
        {given === "some" && <Minus className="size-2.5! stroke-3! text-on-accent" />}
      </span>
      <span className="min-w-0 flex-1">
        <bdi className={cx("block truncate", isMono && "text-mono")}>{name}</bdi>
        {about && (
          <span className="line-clamp-2 break-words text-muted text-secondary">
            <bdi>{about}</bdi>
          </span>
        )}
      </span>
    </Command.Item>
  );
}

type OpenItemProps = {
  id: string;
  isOpen: boolean;
  label: string;
  onOpen: () => void;
  children: ReactNode;
};

/** Shows or hides what belongs to the item above it. */
function OpenItem({ id, isOpen, label, onOpen, children }: OpenItemProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Command.Item
      value={id}
      onSelect={onOpen}
      aria-label={label}
      className={cx(itemClass, "items-center text-muted text-secondary")}
    >
      <Chevron />
      {children}
    </Command.Item>
  );
}

type Props = {
  server: ToolTarget;
  picked: ToolSelection;
  isOpen: boolean;
  /** Whether words of a tool are searched for. */
  fits: (...where: string[]) => boolean;
  onOpen: () => void;
  onChange: (tools: AgentTool[]) => void;
};

/** The tools of a server one by one; the server is asked for them when they are opened. */
export function ServerItems({ server, picked, isOpen, fits, onOpen, onChange }: Props) {
  const chosen = chosenOf(picked, server.id);
  const { canList, read, known, rows } = useServerTools(server.id, chosen, isOpen);
  if (!canList) return null;
  const count = givenOf(picked, server.id) === "some" ? `, ${chosen.length} selected` : "";
  return (
    <>
      <OpenItem
        id={`tools ${server.id}`}
        isOpen={isOpen}
        label={`${isOpen ? "Hide" : "Show"} tools of ${server.name}${count}`}
        onOpen={onOpen}
      >
        Select tools{count}
      </OpenItem>
      {isOpen &&
        rows
          .filter(({ id, about }) => fits(toolWord(server.id, id), about))
          .map(({ id, name, about }) => (
            <Item
              key={id}
              id={`tool ${server.id} ${id}`}
              given={hasServerTool(picked, server.id, id) ? "all" : "none"}
              name={name}
              isMono
              about={about}
              onPick={() => onChange(toggleServerTool(picked, server, id, known))}
            />
          ))}
      {isOpen && known.length === 0 && (
        <div className="px-2 py-1 pl-8 text-muted text-secondary">
          {read.isPending
            ? "Loading tools…"
            : read.isError
              ? failureParts(describeError(read.error).what).sentence
              : "No tools right now. See MCP servers for the reason."}
        </div>
      )}
    </>
  );
}
