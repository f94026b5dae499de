import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { listRuns } from "../../../contract/runs.ts";
import { type SearchHit, search } from "../../../contract/search.ts";
import { anArtifact } from "../../../testing/access.ts";
import { anAgent, aRunSummary } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

type Place = SearchHit["places"][number];
const aPlace = (part: Partial<Place>): Place => ({
  ...{ in: "log", name: null, line: null, message_id: null, part_id: null },
  ...{ before: "", match: "crane", after: "", ...part },
});
const aHit = (part: Partial<SearchHit> = {}): SearchHit => {
  const places = part.places ?? [aPlace({})];
  return {
    ...{
      kind: "run",
      id: "run_1",
      name: "Unload",
      at: "2026-11-20T08:15:04.123Z",
      agent_id: null,
      state: "DONE",
    },
    ...{ places, place_count: places.length, ...part },
  };
};
const noMore = { next_cursor: null, searched_to: null, indexed_until: null };

/** The service finds these. */
function finds(...all: readonly SearchHit[]) {
  service().override(search, ({ query }) => ({
    hits: all.filter(({ kind }) => kind === query.kinds),
    ...noMore,
  }));
}

const field = () => screen.findByRole("searchbox", { name: "Search everywhere" });
const ended = (places: string) => screen.findByText(`Search finished: ${places}.`);
const hits = () => screen.getAllByRole("link").filter((link) => link.dataset.stop !== undefined);
const linksOf = () =>
  hits().map((link) => [link.textContent, decodeURIComponent(link.getAttribute("href") ?? "")]);

describe("searching on the service", () => {
  beforeEach(() => finds());

  it("finds a word in a log and lands on its very line", async () => {
    finds(
      aHit({
        places: [aPlace({ line: 2, name: "check", before: "lane ", match: "MISMATCH", after: " of 3" })],
      }),
    );
    const { user, router } = renderConsole("/search");
    await user.type(await field(), "mismatch");
    await ended("1 match");
    expect(router.state.location.search).toEqual({ q: "mismatch" });
    const group = within(screen.getByRole("article", { name: "Unload" }));
    expect(group.getByText("MISMATCH").tagName).toBe("MARK");
    await user.click(group.getByRole("link", { name: /^Line 2/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/runs/run_1"));
    expect(router.state.location.search).toEqual({ line: 2 });
  });

  it("leads each place to where it stands, and puts hits of one conversation together", async () => {
    const talk = {
      kind: "conversation",
      id: "int_1",
      name: "Which berths?",
      agent_id: "agent_clerk",
      state: null,
    };
    finds(
      aHit({ places: [aPlace({ in: "input", name: "cargo" }), aPlace({ in: "error" })] }),
      aHit({
        ...talk,
        places: [aPlace({ in: "result", name: "free", message_id: "m2", part_id: "tool-1-0" })],
      }),
      aHit({ ...talk, places: [aPlace({ in: "message", message_id: "m1" })] }),
      aHit({
        kind: "artifact",
        id: "art_1",
        name: "crane.md",
        agent_id: "agent_clerk",
        places: [aPlace({ in: "name" })],
      }),
      aHit({ kind: "agent", id: "agent_clerk", name: "Clerk", places: [aPlace({ in: "instructions" })] }),
      aHit({ kind: "flow", id: "flow_1", name: "Unload", places: [aPlace({ in: "description" })] }),
    );
    renderConsole("/search?q=crane");
    await ended("7 matches");
    const to = "/agents/agent_clerk/conversations/int_1?part=";
    expect(linksOf()).toEqual([
      ["Input · cargocrane", "/runs/run_1?tab=inputs"],
      ["Errorcrane", "/runs/run_1?tab=outputs"],
      ["Result · freecrane", `${to}m2.tool-1-0&q=crane`],
      ["Messagecrane", `${to}m1.text&q=crane`],
      ["Namecrane", "/artifacts/art_1?agent=agent_clerk"],
      ["Instructionscrane", "/agents/agent_clerk"],
      ["Descriptioncrane", "/runs/new?flow=flow_1"],
    ]);
    expect(screen.getAllByRole("article", { name: "Which berths?" })).toHaveLength(1);
  });

  it("tells conversations and artifacts of one name apart by their agents", async () => {
    service().state.agents = [anAgent(), anAgent({ id: "agent_scribe", name: "Scribe" })];
    const same = { name: "October report", state: null };
    finds(
      aHit({ ...same, kind: "conversation", id: "int_1", agent_id: "agent_clerk" }),
      aHit({ ...same, kind: "artifact", id: "art_1", agent_id: "agent_scribe" }),
    );
    renderConsole("/search?q=crane");
    await ended("2 matches");
    const [conversation, artifact] = screen.getAllByRole("article", { name: "October report" });
    expect(await within(conversation ?? document.body).findByText("Clerk")).toBeInTheDocument();
    expect(within(artifact ?? document.body).getByText("Scribe")).toBeInTheDocument();
  });

  it("shows the lines of a log in their order, also where its newest part is found first", async () => {
    const line = (of: number) => aPlace({ name: "say", line: of });
    finds(
      aHit({ places: [line(4083), line(4583)] }),
      aHit({ places: [line(3083), line(3583)] }),
      aHit({ places: [aPlace({ in: "input", name: "cargo" }), line(81), line(581)] }),
    );
    renderConsole("/search?q=crane");
    await ended("7 matches");
    expect(linksOf().map(([words]) => words)).toEqual([
      "Input · cargocrane",
      ...["81", "581", "3,083", "3,583", "4,083", "4,583"].map((at) => `Line ${at} · saycrane`),
    ]);
  });

  it("looks only where it is told to, by the address", async () => {
    finds(aHit(), aHit({ kind: "agent", id: "agent_clerk", name: "Clerk" }));
    const { user, router } = renderConsole("/search?q=crane&in=agent,nonsense");
    await ended("1 match");
    expect(service().seen(search)).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Runs", pressed: false }));
    await ended("2 matches");
    expect(router.state.location.search).toEqual({ q: "crane", in: "agent,run" });
    await user.click(screen.getByRole("button", { name: "Everything" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ q: "crane" }));
  });

  it("goes further back page by page, and says how far it has looked", async () => {
    service().override(search, ({ query }) => {
      if (query.kinds !== "run") return { hits: [], ...noMore };
      if (query.cursor === undefined) {
        return {
          hits: [],
          next_cursor: "older",
          searched_to: "2026-10-01T06:00:00.000Z",
          indexed_until: null,
        };
      }
      return { hits: [aHit({ id: query.cursor })], ...noMore };
    });
    const { user } = renderConsole("/search?q=crane");
    await screen.findByText(/Runs: searched back to/);
    expect(screen.getByRole("main")).not.toHaveTextContent(/No matches|Everything was searched/);
    await user.click(screen.getByRole("button", { name: "Search further back" }));
    await ended("1 match");
    expect(hits()).toHaveLength(1);
    expect(screen.getByRole("main")).toHaveTextContent("Everything was searched");
  });

  it("says where nothing is found, what failed, and what is not indexed yet", async () => {
    const nothing = renderConsole("/search?q=crane");
    await screen.findByText(/No matches for “crane”/);
    nothing.unmount();
    service().override(search, ({ query }) =>
      query.kinds === "run"
        ? new Refusal("internal")
        : { hits: [], ...noMore, indexed_until: "2026-10-01T06:00:00.000Z" },
    );
    renderConsole("/search?q=cranes");
    await screen.findByText("Runs could not be loaded", undefined, { timeout: 10_000 });
    expect(screen.getByRole("main")).toHaveTextContent(/Indexed up to/);
    expect(screen.getByRole("main")).not.toHaveTextContent(/No matches|Everything was searched/);
  }, 30_000);

  it("C-27: judges by the service's clock what is not indexed yet", async () => {
    const wrong = Date.now() - 3_600_000;
    service().override(search, () =>
      Response.json(
        { hits: [], ...noMore, indexed_until: new Date(wrong - 30_000).toISOString() },
        { headers: { date: new Date(wrong).toUTCString() } },
      ),
    );
    renderConsole("/search?q=crane");
    await screen.findByText(/No matches for “crane”/);
    await waitFor(() => expect(screen.getByRole("main")).not.toHaveTextContent(/Indexed up to/));
  });

  it("says once that nothing could be searched, and searches all of it again", async () => {
    service().override(search, new Refusal("not_found"));
    const absent = renderConsole("/search?q=crane");
    await screen.findByText("Search results could not be found");
    expect(screen.getByRole("main")).not.toHaveTextContent(/match|could not be loaded|Newest first/);
    absent.unmount();

    service().override(search, new Refusal("internal"));
    const { user } = renderConsole("/search?q=cranes");
    await screen.findByText("Search results could not be loaded", undefined, { timeout: 10_000 });
    finds(aHit(), aHit({ kind: "agent", id: "agent_clerk", name: "Clerk" }));
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await ended("2 matches");
    expect(linksOf()).toHaveLength(2);
  }, 30_000);

  it("asks nothing for two letters, and says so", async () => {
    renderConsole("/search?q=ab");
    await screen.findByText("Enter at least 3 characters");
    expect(service().seen(search)).toEqual([]);
  });

  it("shows what is hostile as text", async () => {
    finds(
      aHit({ name: "a\u202eb", places: [aPlace({ before: "\u001b[31mred\u001b[0m ", after: "<b>x</b>" })] }),
    );
    renderConsole("/search?q=crane");
    await ended("1 match");
    expect(hits()[0]).toHaveTextContent("red crane<b>x</b>");
  });

  it("steps through the results by keys", async () => {
    finds(aHit(), aHit({ id: "run_2" }));
    const { user } = renderConsole("/search?q=crane");
    await ended("2 matches");
    await user.click(await field());
    await user.keyboard("{Enter}");
    expect(hits()[0]).toHaveFocus();
    await user.keyboard("j");
    expect(hits()[1]).toHaveFocus();
  });
});

describe("searching on a service that has no search", () => {
  const as = { known: { named: ["runs", "artifacts"], tried: {} } };

  it("looks through the newest page of each list, and says so", async () => {
    service().override(listRuns, {
      runs: [aRunSummary({ run_id: "run_1", inputs: { name: "Ada" }, error: "ADA was away" })],
      next_cursor: "older",
    });
    service().state.artifacts = [anArtifact({ id: "art_1", filename: "ada.csv" })];
    renderConsole("/search?q=ada", { as });
    await ended("3 matches");
    expect(linksOf()).toEqual([
      ["Input · nameAda", "/runs/run_1?tab=inputs"],
      ["ErrorADA was away", "/runs/run_1?tab=outputs"],
      ["Nameada.csv", "/artifacts/art_1?agent=agent_rates"],
    ]);
    expect(service().seen(search)).toEqual([]);
    expect(screen.getByRole("main")).toHaveTextContent(
      /searched 1 agent, 1 artifact and 1 run, not inside logs or answers/,
    );
    expect(screen.getByRole("main")).not.toHaveTextContent("Everything was searched");
  });

  it("shows a run as the service lists it, also where this browser knew it before, and counts it once", async () => {
    service().override(listRuns, {
      runs: [aRunSummary({ run_id: "run_1", state: "FAILED", inputs: {}, error: "ADA was away" })],
      next_cursor: null,
    });
    const { wheelhouse, user } = renderConsole("/search", { as });
    const last = { state: "RUNNING", createdTs: "2026-11-20T08:15:00+00:00", finishedTs: null };
    await wheelhouse.api.get()?.history.saw("run_1", { savedItemName: "Ada’s flow", last });
    await user.type(await field(), "ada");
    await ended("1 match");
    expect(linksOf()).toEqual([["ErrorADA was away", "/runs/run_1?tab=outputs"]]);
    expect(screen.getByRole("main")).toHaveTextContent(/searched 1 agent and 1 run,/);
  });

  it("finds what this browser knows where nothing is listed", async () => {
    const core = { known: { named: [], tried: {} } };
    const { wheelhouse, user } = renderConsole("/search", { as: core });
    await wheelhouse.api.get()?.conversations.saw("int_1", {
      ...{ agentId: "agent_clerk", agentName: "Clerk", name: "About the crane", projectId: null },
    });
    await user.type(await field(), "crane");
    await ended("1 match");
    expect(linksOf()).toEqual([
      ["MessageAbout the crane", "/agents/agent_clerk/conversations/int_1?q=crane"],
    ]);
  });

  it("says which list could not be read", async () => {
    service().override(listRuns, new Refusal("forbidden"));
    renderConsole("/search?q=crane", { as });
    await screen.findByText(/Runs: no access/);
    expect(screen.getByRole("main")).not.toHaveTextContent(/No matches/);
  });
});
