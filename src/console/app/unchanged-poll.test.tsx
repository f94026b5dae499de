import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { listAgentVersions } from "../../contract/agents.ts";
import { listEvaluationResults } from "../../contract/evaluations.ts";
import { listSessions } from "../../contract/sessions.ts";
import { anAgent, aRun } from "../../testing/builders.ts";
import { aSession } from "../../testing/conversations.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { signedInWheelhouse } from "../../testing/test-wheelhouse.ts";
import { useAgentList } from "../areas/agents/list/useAgentList.ts";
import { useConversations } from "../areas/agents/useConversations.ts";
import { useVersions } from "../areas/agents/versions/useVersions.ts";
import { useArtifactList } from "../areas/artifacts/list/useArtifactList.ts";
import { useShared } from "../areas/artifacts/shared/useShared.ts";
import { useEvaluations } from "../areas/evaluations/agent/useEvaluations.ts";
import { useSources } from "../areas/knowledge/sources.ts";
import { useServers } from "../areas/mcp/queries.ts";
import { useServiceDay } from "../areas/overview/OverviewPage.tsx";
import { useKnownRuns } from "../areas/runs/list/KnownRuns.tsx";
import { useServiceRuns } from "../areas/runs/list/useRunList.ts";
import { ApiProvider } from "../lib/api.tsx";
import { PreferencesStore } from "../lib/preferences/preferences.tsx";
import { ClockProvider } from "../lib/time/clock.tsx";
import { Providers } from "./frame/Providers.tsx";

const service = mockServicePerTest();
const now = Date.parse("2026-11-20T08:15:00Z");
const still = { now: () => now, subscribe: () => () => {} };
const none = {};
const agent = anAgent();

/** What the lists of the pages are drawn from. */
const lists: readonly (readonly [list: string, use: () => { query?: unknown; first?: unknown }])[] = [
  ["runs", () => useServiceRuns(none, now)],
  ["runs in local history", () => useKnownRuns(none, now)],
  ["the overview", () => useServiceDay(now)],
  ["agents", () => useAgentList(none)],
  ["conversations", () => useConversations(agent.id, none)],
  ["versions", () => useVersions(agent.id, agent)],
  ["evaluations", () => useEvaluations(agent.id, 30)],
  ["MCP servers", () => useServers()],
  ["knowledge", () => useSources()],
  ["artifacts", () => useArtifactList({ kind: "all" }, none)],
  ["shares", () => useShared()],
];

describe("a list that a poll finds unchanged", () => {
  it.each(lists)("is not drawn anew: %s", async (_, use) => {
    service().state.runs = [aRun()];
    const { messages: _messages, ...summary } = aSession().session;
    service().override(listSessions, { sessions: [summary], next_cursor: null });
    service().override(listAgentVersions, { versions: [], next_cursor: null });
    service().override(listEvaluationResults, { evaluations: [], next_cursor: null });
    const { wheelhouse, api } = signedInWheelhouse();
    await api.history.saw("run_hello", { savedItemName: "Say hello" });
    let draws = 0;
    const wrapper = ({ children }: { children: ReactNode }) => (
      <Providers wheelhouse={wheelhouse} preferences={new PreferencesStore()}>
        <ApiProvider api={api}>
          <ClockProvider clock={still}>{children}</ClockProvider>
        </ApiProvider>
      </Providers>
    );
    renderHook(
      () => {
        draws += 1;
        return use();
      },
      { wrapper },
    );
    const reads = () => wheelhouse.queries.isFetching();
    await waitFor(() => expect(reads()).toBe(0));
    const before = service().requests.length;
    await act(() => wheelhouse.queries.refetchQueries({ type: "active" }));
    const drawn = draws;
    await act(() => wheelhouse.queries.refetchQueries({ type: "active" }));
    expect(service().requests.length).toBeGreaterThan(before);
    expect(draws).toBe(drawn);
  });
});
