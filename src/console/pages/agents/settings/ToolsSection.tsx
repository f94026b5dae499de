import { useQuery } from "@tanstack/react-query";
import { nameOfTool } from "../../../agents/tool-identity.ts";
import { flowQueries } from "../../../api/queries/flows.ts";
import { mcpQueries } from "../../../api/queries/mcp.ts";
import { useApi } from "../../../components/api-context.tsx";
import { shownName } from "../../../components/conversation/shownName.ts";
import { useCan } from "../../../components/useCan.ts";
import { AddTool } from "./AddTool.tsx";
import { type AgentForm, offReasonOf } from "./form.ts";
import { FieldMarks, Section } from "./Section.tsx";
import { ToolRow } from "./ToolRow.tsx";
import { toolLines, withTool } from "./tools.ts";

/** What the agent may use: servers with their tools, flows, and kinds that only the service knows. */
export function ToolsSection({ form }: { form: AgentForm }) {
  const names = useToolNames();
  const lines = toolLines(form.base.tools, form.mine.tools);
  const kinds = form.mine.tools.map((tool) => nameOfTool(tool).kind);
  const edited = lines.filter((line) => line.mark !== null).length;
  const offReason = offReasonOf(form, "tools");
  return (
    <Section
      id="tools"
      title="Tools"
      mark={
        <>
          <span className="text-muted text-secondary">{countWords(kinds)}</span>
          <FieldMarks form={form} path="tools" />
        </>
      }
      aside={
        <AddTool
          offReason={offReason}
          used={form.mine.tools}
          servers={names.servers}
          flows={names.flows}
          onAdd={(tool) => form.write({ tools: [...form.mine.tools, tool] })}
        />
      }
    >
      {lines.length === 0 ? (
        <p className="text-muted">None: the agent only answers.</p>
      ) : (
        <ul aria-label={`Tools${edited > 0 ? `, ${edited} edited` : ""}`} className="border-t">
          {lines.map((line) => (
            <ToolRow
              key={line.identity}
              line={line}
              names={names}
              offReason={offReason}
              onTool={(tool) =>
                form.write({ tools: withTool(form.base.tools, form.mine.tools, line.identity, tool) })
              }
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

export interface NamedTarget {
  readonly id: string;
  readonly name: string;
  /** What the tool's `type` is for this one. */
  readonly type: string;
  /** Servers: whether the person's sign-in to it is missing. */
  readonly isSignedOut: boolean;
  readonly toolCount: number | null;
}

export interface ToolNames {
  /** Null: the list could not be read, or the service has none. */
  readonly servers: readonly NamedTarget[] | null;
  readonly flows: readonly NamedTarget[] | null;
}

/** The servers and flows of the service, by their names. */
function useToolNames(): ToolNames {
  const api = useApi();
  const canListFlows = useCan("saved_items");
  const catalogue = useQuery(mcpQueries.servers(api));
  const listed = useQuery({ ...flowQueries.list(api), enabled: canListFlows });
  const servers = catalogue.data?.data.servers?.flatMap((server): NamedTarget[] =>
    server?.server_id
      ? [
          {
            id: server.server_id,
            name: shownName(server.name ?? server.server_id),
            type: server.type ?? "mcp_server",
            isSignedOut: server.status === "unauthenticated",
            toolCount: server.tool_count ?? null,
          },
        ]
      : [],
  );
  const flows = listed.data?.data.saved_items?.flatMap((flow): NamedTarget[] =>
    flow?.saved_item_id
      ? [
          {
            id: flow.saved_item_id,
            name: shownName(flow.name ?? flow.saved_item_id),
            type: "flow",
            isSignedOut: false,
            toolCount: null,
          },
        ]
      : [],
  );
  return { servers: servers ?? null, flows: flows ?? null };
}

/** "7 servers and 1 flow", "2 servers, 1 flow and 1 other" */
function countWords(kinds: readonly ("server" | "flow" | "other")[]): string {
  const words = (["server", "flow", "other"] as const).flatMap((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    if (count === 0) return [];
    return [`${count} ${kind}${count === 1 || kind === "other" ? "" : "s"}`];
  });
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "");
}
