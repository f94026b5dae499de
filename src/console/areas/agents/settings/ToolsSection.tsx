import { useCan } from "../../../lib/api/useCan.ts";
import { nameOfTool } from "../agent/tool-identity.ts";
import { builtinOf } from "../tools/builtins.ts";
import { ToolPicker } from "../tools/ToolPicker.tsx";
import { useToolTargets } from "../tools/useToolTargets.ts";
import { type AgentForm, offReasonOf } from "./form.ts";
import { FieldMarks, Section } from "./Section.tsx";
import { ToolRow } from "./ToolRow.tsx";
import { toolLines, withTool } from "./tools.ts";

/** What the agent may use: servers with their tools, flows, built-in tools, and kinds that only the service knows. */
export function ToolsSection({ form }: { form: AgentForm }) {
  const targets = useToolTargets();
  const hasBuiltins = useCan("builtin_tools");
  const lines = toolLines(form.base.tools, form.mine.tools);
  const kinds = form.mine.tools.map((tool) =>
    hasBuiltins && builtinOf(tool) !== null ? "built-in tool" : nameOfTool(tool).kind,
  );
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
        <ToolPicker
          offReason={offReason}
          base={form.base.tools}
          mine={form.mine.tools}
          targets={targets}
          onChange={(tools) => form.write({ tools })}
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
              targets={targets}
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

const kindsInOrder = ["server", "flow", "built-in tool", "other"] as const;

/** "7 servers and 1 flow", "2 servers, 1 flow and 2 built-in tools" */
function countWords(kinds: readonly (typeof kindsInOrder)[number][]): string {
  const words = kindsInOrder.flatMap((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    if (count === 0) return [];
    return [`${count} ${kind}${count === 1 || kind === "other" ? "" : "s"}`];
  });
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "");
}
