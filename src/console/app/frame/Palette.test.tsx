import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { listAgents } from "../../../contract/agents.ts";
import { listSavedItems } from "../../../contract/flows.ts";
import { agentStatus } from "../../../contract/interactions.ts";
import { getSource, getSourceEstimate, listSources } from "../../../contract/knowledge.ts";
import { listMcpServers, listMcpTools } from "../../../contract/mcp.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { aDoneRun, anAgent } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { rank } from "./Palette.tsx";

const service = mockServicePerTest();
afterEach(() => localStorage.clear());

const aServer = {
  ...{ server_id: "almanac", name: "Almanac", type: "gumcp_server" as const, status: "connected" as const },
  ...{ icon_url: null, description: "Dates", service_auth_url: "", mcp_url: null, tool_count: 2 },
  allowed_tool_call_ids: null,
};
const aSource = {
  ...{ id: "source_law", name: "Case law", source_type: "direct_file_uploads", status: "draft" },
  ...{ scope: "personal", team_id: null, created_by_user_id: "user_ada" },
  created_at: "2026-11-20T08:00:00Z",
};
const aConversation = {
  ...{ id: "int_7", agent_id: "agent_scribe", agent_name: "Scribe", name: "Lines of the pier" },
  ...{ type: "console", state: "completed", created_at: "2026-11-20T08:00:00Z", creator: null },
};

describe("the palette", () => {
  it("opens by the key, finds a flow before its runs, and starts with it", async () => {
    service().state.runs = [aDoneRun()];
    const { user, router } = renderConsole("/runs");
    await screen.findByRole("table", { name: "Runs" });
    await user.keyboard("{Control>}k{/Control}");
    const dialog = within(await screen.findByRole("dialog", { name: "Search or jump to" }));
    await dialog.findByText("Start");
    await user.keyboard("say hello{Enter}");
    await screen.findByRole("textbox", { name: /^name/ });
    expect(router.state.location.search).toEqual({ flow: "flow_hello" });
  });

  it("opens what fits best when Enter is pressed, also where it came after the words", async () => {
    const release = service().holdBack(listSavedItems, () => ({
      saved_items: service().state.flows.map(({ item }) => item),
    }));
    const { user, router } = renderConsole("/agents");
    await screen.findByRole("table", { name: "Agents" });
    await user.keyboard("{Control>}k{/Control}");
    const dialog = within(await screen.findByRole("dialog", { name: "Search or jump to" }));
    await user.keyboard("say hello");
    await dialog.findByRole("option", { name: /^Search everywhere for “say hello”/, selected: true });
    release();
    await dialog.findByRole("option", { name: /^Say hello/, selected: true });
    await user.keyboard("{ArrowDown}");
    await dialog.findByRole("option", { name: /^Search everywhere/, selected: true });
    await user.keyboard("{ArrowUp}{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ flow: "flow_hello" }));
  });

  it("finds servers and knowledge sources, and opens them", async () => {
    service().override(listMcpServers, { servers: [aServer] });
    service().override(listSources, { sources: [aSource], next_cursor: null });
    service().override(listMcpTools, new Refusal("not_found"));
    service().override(getSource, new Refusal("not_found"));
    service().override(getSourceEstimate, new Refusal("not_found"));
    const { user, router } = renderConsole("/runs");
    await user.keyboard("{Control>}k{/Control}");
    const dialog = within(await screen.findByRole("dialog", { name: "Search or jump to" }));
    await dialog.findByText("Almanac");
    await user.keyboard("almanac{Enter}");
    await waitFor(() => expect(router.state.location.href).toBe("/mcp?server=almanac"));
    await user.keyboard("{Control>}k{/Control}");
    await within(await screen.findByRole("dialog", { name: "Search or jump to" })).findByText("Case law");
    await user.keyboard("case law{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/knowledge/source_law"));
  });

  it("finds conversations that this browser never saw by what was said in them", async () => {
    service().override(getSession, new Refusal("not_found"));
    service().override(agentStatus, new Refusal("not_found"));
    service().override(listSessions, ({ query }) => ({
      sessions: query.search === "mooring" ? [aConversation] : [],
      next_cursor: null,
    }));
    const { user, router } = renderConsole("/runs");
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("dialog", { name: "Search or jump to" });
    await user.keyboard("mooring");
    await user.click(await screen.findByRole("option", { name: /Lines of the pier/ }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe("/agents/agent_scribe/conversations/int_7"),
    );
  });

  it("finds a conversation of the last of many agents, and asks no further once enough are found", async () => {
    const names = Array.from({ length: 130 }, (_, at) => `agent_${at}`);
    const asked = new Set<string>();
    service().override(getSession, new Refusal("not_found"));
    service().override(agentStatus, new Refusal("not_found"));
    service().override(listAgents, ({ query }) => {
      const from = Number(query.cursor ?? 0);
      return {
        agents: names.slice(from, from + 100).map((id) => anAgent({ id, name: id })),
        next_cursor: from === 0 ? "100" : null,
      };
    });
    service().override(listSessions, ({ params, query }) => {
      if (query.search !== undefined) asked.add(`${query.search} ${params.agent_id}`);
      const isOf = query.search === "mooring" ? params.agent_id === "agent_129" : query.search === "buoy";
      const id = `int_${params.agent_id}`;
      return {
        sessions: isOf ? [{ ...aConversation, id, agent_id: params.agent_id }] : [],
        next_cursor: null,
      };
    });
    const { user } = renderConsole("/runs");
    await user.keyboard("{Control>}k{/Control}");
    const dialog = within(await screen.findByRole("dialog", { name: "Search or jump to" }));
    await user.keyboard("mooring");
    // Whoever types slowly asks for pieces of the word, too.
    const askedFor = (word: string) => [...asked].filter((one) => one.startsWith(`${word} `));
    // 130 requests take as long as the machine needs.
    await waitFor(() => expect(askedFor("mooring")).toHaveLength(130), { timeout: 60_000 });
    await dialog.findByRole("option", { name: /Lines of the pier.*int_agent_129/ });
    await user.clear(dialog.getByRole("combobox"));
    await user.keyboard("buoy");
    await dialog.findByRole("option", { name: /Lines of the pier.*int_agent_0/ });
    expect(askedFor("buoy")).toHaveLength(12);
  });

  it("acts: what the page behind it does by a key, and what can be done anywhere", async () => {
    service().state.runs = [aDoneRun()];
    const { user, wheelhouse } = renderConsole("/runs");
    await screen.findByRole("table", { name: "Runs" });
    await user.keyboard("{Control>}k{/Control}");
    await user.keyboard("pause refreshing{Enter}");
    expect(wheelhouse.polling.situation.get().setting).toBe("paused");
    await user.keyboard("{Control>}k{/Control}");
    await user.keyboard("resume refreshing{Enter}");
    expect(wheelhouse.polling.situation.get().setting).toBe("auto");

    await user.keyboard("{Control>}k{/Control}");
    await user.keyboard("dark theme{Enter}");
    expect(localStorage.getItem("wheelhouse:theme")).toBe("dark");
  });

  it("shows the keys by ?, and Escape closes them", async () => {
    const { user } = renderConsole("/runs");
    await screen.findByRole("heading", { name: "No runs yet" });
    await user.keyboard("?");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    expect(sheet.getByText("Go to Runs")).toBeInTheDocument();
    expect(sheet.getByRole("heading", { name: "On this page" })).toBeInTheDocument();
    expect(sheet.getByText("Next run")).toBeInTheDocument();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("ranks names that begin so before names that hold it, before details", () => {
    const fits = (text: string) =>
      [["Fail"], ["Will fail"], ["Hello", "fails at stock"], ["Other"]].map((words) => rank("", text, words));
    expect(fits("fail")).toEqual([1, 0.8, 0.5, 0]);
    expect(rank("", "hello stock", ["Hello", "fails at stock"])).toBe(0.5);
  });
});
