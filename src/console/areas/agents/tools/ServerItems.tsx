import { useQuery } from "@tanstack/react-query";
import type { AgentTool } from "../../../../contract/agents.ts";
import { describeError } from "../../../api/describe-error.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { shownName } from "../../../lib/shownName.ts";
import { failureParts, mcpQueries } from "../../mcp/index.ts";

import { toolWord } from "../settings/tools.ts";
import { Item, OpenItem } from "./PickerItem.tsx";
import { chosenOf, givenOf, hasServerTool, type Picked, toggleServerTool } from "./picks.ts";
import type { ToolTarget } from "./useToolTargets.ts";

type Props = {
  server: ToolTarget;
  picked: Picked;
  isOpen: boolean;
  /** Whether words of a tool are searched for. */
  fits: (...where: string[]) => boolean;
  onOpen: () => void;
  onChange: (tools: AgentTool[]) => void;
};

/** The tools of a server one by one; the server is asked for them when they are opened. */
export function ServerItems({ server, picked, isOpen, fits, onOpen, onChange }: Props) {
  const api = useApi();
  const canList = useCan("mcp_tools");
  const read = useQuery({ ...mcpQueries.tools(api, server.id), enabled: canList && isOpen });
  const listed = (read.data?.data.tools ?? []).flatMap((one) =>
    one?.tool_call_id ? [{ id: one.tool_call_id, about: one.description ?? "" }] : [],
  );
  const chosen = chosenOf(picked, server.id);
  if (!canList) return null;
  const known = new Set(listed.map(({ id }) => id));
  const rows = isOpen
    ? [...listed, ...chosen.filter((id) => !known.has(id)).map((id) => ({ id, about: "" }))]
    : [];
  const count = givenOf(picked, server.id) === "some" ? `, ${chosen.length} given` : "";
  return (
    <>
      <OpenItem
        id={`tools ${server.id}`}
        isOpen={isOpen}
        label={`${isOpen ? "Hide" : "Show"} single tools of ${server.name}${count}`}
        onOpen={onOpen}
      >
        Single tools{count}
      </OpenItem>
      {rows
        .filter(({ id, about }) => fits(toolWord(server.id, id), about))
        .map(({ id, about }) => (
          <Item
            key={id}
            id={`tool ${server.id} ${id}`}
            given={hasServerTool(picked, server.id, id) ? "all" : "none"}
            name={shownName(toolWord(server.id, id))}
            isMono
            about={about}
            onPick={() => onChange(toggleServerTool(picked, server, id, [...known]))}
          />
        ))}
      {isOpen && listed.length === 0 && (
        <div className="px-2 py-1 pl-8 text-muted text-secondary">
          {read.isPending
            ? "Asking it for its tools…"
            : read.isError
              ? failureParts(describeError(read.error).what).sentence
              : "It names no tools now: the page of MCP servers says why."}
        </div>
      )}
    </>
  );
}
