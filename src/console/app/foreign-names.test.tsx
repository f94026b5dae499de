import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { listEvaluations } from "../../contract/evaluations.ts";
import { listSources } from "../../contract/knowledge.ts";
import { listMcpServers } from "../../contract/mcp.ts";
import { anMcpServer } from "../../testing/builders.ts";
import { anyJson } from "../../testing/msw.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";

const service = mockServicePerTest();
const name = "Drive \u202Etxe";

it.each([
  ["MCP server", "/mcp", () => service().override(listMcpServers, { servers: [anMcpServer({ name })] })],
  [
    "knowledge source",
    "/knowledge",
    () => service().override(listSources, anyJson({ sources: [{ id: "source_1", name, status: "draft" }] })),
  ],
  [
    "rubric",
    "/evaluations?tab=rubrics",
    () => service().override(listEvaluations, anyJson({ evaluations: [{ id: "evaluation_1", name }] })),
  ],
] as const)(
  "C-08: a name shows a mark where it would turn the reading direction: %s",
  async (_what, address, answer) => {
    answer();
    renderConsole(address);
    const [shown] = await screen.findAllByText("Drive ⟨U+202E⟩txe");
    expect(shown).toBeInTheDocument();
  },
);
