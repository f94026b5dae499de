import { createMemoryHistory } from "@tanstack/react-router";
import { waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { explainPermissions } from "../../contract/admin.ts";
import { getPerson } from "../../contract/admin-people.ts";
import { listAgentVersions } from "../../contract/agents.ts";
import { getArtifactDownload } from "../../contract/artifacts.ts";
import { getInboxItem } from "../../contract/inbox.ts";
import { getSource } from "../../contract/knowledge.ts";
import { getRunNode } from "../../contract/run-nodes.ts";
import { getSession } from "../../contract/sessions.ts";
import { aDoneRun } from "../../testing/builders.ts";
import { never } from "../../testing/msw.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";
import { aSignIn, testWheelhouse } from "../../testing/test-wheelhouse.ts";
import { makeRouter } from "./router.tsx";

const service = mockServicePerTest();

/** Every page that stands on reads. */
const addresses = [
  "/",
  "/runs",
  "/runs?q=hello&started=24h",
  "/runs/new",
  "/runs/new?flow=flow_hello",
  "/runs/run_1",
  "/runs/run_1/again",
  "/runs/run_1/again?node=Greeting&item=3&flow=current",
  "/runs/compare?a=run_1&b=run_2",
  "/agents",
  "/agents?q=clerk&sort=newest",
  "/agents/new",
  "/agents/new?from=agent_clerk",
  "/agents/agent_clerk",
  "/agents/agent_clerk?q=invoice",
  "/agents/agent_clerk/settings",
  "/agents/agent_clerk/versions",
  "/agents/agent_clerk/evaluations",
  "/agents/agent_clerk/evaluations?days=7",
  "/agents/agent_clerk/conversations/new",
  "/agents/agent_clerk/conversations/int_1",
  "/artifacts",
  "/artifacts?q=report&agent=agent_clerk",
  "/artifacts/shared",
  "/artifacts/art_1",
  "/artifacts/art_1?agent=agent_clerk",
  "/evaluations",
  "/knowledge",
  "/knowledge/source_1",
  "/inbox",
  "/inbox?state=answered",
  "/inbox/ask_1",
  "/inbox/source_1?kind=source",
  "/mcp",
  "/retention",
  "/admin",
  "/admin?tab=people&q=ada&state=active",
  "/admin?tab=teams",
  "/admin?tab=keys",
  "/admin?tab=sessions",
  "/admin?tab=connected",
  "/admin?tab=permissions",
  "/admin?tab=permissions&user=user_ada&object=agent&object_id=agent_clerk",
  "/admin?tab=audit&object=agent&object_id=agent_clerk&action=agent.update&from=2026-11-01",
  "/search?q=hello",
];

/** Points at a link to a page, without going there. @returns what was asked for */
async function pointAt(address: string) {
  const wheelhouse = testWheelhouse();
  wheelhouse.session.signIn(aSignIn({}));
  const router = makeRouter(
    { wheelhouse, started: { kind: "ordinary" } },
    createMemoryHistory({ initialEntries: [address] }),
  );
  const cache = wheelhouse.queries.getQueryCache();
  const { pathname, search } = new URL(address, "http://console");
  await router.preloadRoute({ to: pathname, search: router.options.parseSearch(search) });
  await waitFor(() => expect(cache.getAll()).not.toHaveLength(0));
  return cache.getAll().map(({ queryHash }) => queryHash);
}

describe("a link that is pointed at", () => {
  it("is tried for every page that has a loader", () => {
    const router = makeRouter(
      { wheelhouse: testWheelhouse(), started: { kind: "ordinary" } },
      createMemoryHistory({ initialEntries: ["/"] }),
    );
    const tried = new Set<string>(
      addresses.flatMap((address) => {
        const [routes] = router.getMatchedRoutes(new URL(address, "http://console").pathname);
        return routes.map((route) => route.id);
      }),
    );
    const reading = Object.values(router.routesById).filter(({ options }) => options.loader !== undefined);
    const untried = reading.map(({ id }): string => id).filter((id) => !tried.has(id));
    expect(untried, "routes without one of addresses, above").toEqual([]);
    expect(reading.length).toBeGreaterThan(15);
  });

  it.each(addresses)("%s: starts the reads of its page, none that the page does without", async (address) => {
    for (const slow of [
      ...[getSession, getSource, getInboxItem, getRunNode, listAgentVersions],
      ...[getPerson, explainPermissions, getArtifactDownload],
    ])
      service().override(slow, never);
    service().state.runs = [aDoneRun({ run_id: "run_1" })];
    const asked = await pointAt(address);
    const { wheelhouse } = renderConsole(address);
    const cache = wheelhouse.queries.getQueryCache();
    await waitFor(() => {
      const used = cache.getAll().filter((query) => query.getObserversCount() > 0);
      expect(used.map(({ queryHash }) => queryHash)).toEqual(expect.arrayContaining(asked));
    });
  });
});

describe("going back before the page is drawn", () => {
  it("C-42: leads to the page of the address", async () => {
    const history = createMemoryHistory({ initialEntries: ["/sign-in?next=%2Fagents", "/sign-in"] });
    const router = makeRouter({ wheelhouse: testWheelhouse(), started: { kind: "ordinary" } }, history);
    await router.load();
    expect(router.state.location.pathname + router.state.location.searchStr).toBe("/sign-in");
    history.back();
    await waitFor(() => expect(router.state.location.href).toBe("/sign-in?next=%2Fagents"));
  });
});
