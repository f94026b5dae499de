import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { agentStatus } from "../../../contract/interactions.ts";
import { getRun } from "../../../contract/run.ts";
import { listRuns } from "../../../contract/runs.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { anArtifact } from "../../../testing/access.ts";
import { aDoneRun, aRunSummary } from "../../../testing/builders.ts";
import { aCall, anAnswer, aQuestion, aSession, aStatus } from "../../../testing/conversations.ts";
import { never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

const minute = (at: number) => `2026-11-20T08:${String(at).padStart(2, "0")}:00.000+00:00`;
const run = (number: number, log: string[], part: Partial<ReturnType<typeof aDoneRun>> = {}) =>
  aDoneRun({ run_id: `run_${number}`, created_ts: minute(number), log, outputs: {}, ...part });
const field = () => screen.findByRole("searchbox", { name: "Search everywhere" });
const ended = (places: string) => screen.findByText(`Search finished: ${places}.`);
const hits = () => screen.getAllByRole("link").filter((link) => link.dataset.stop !== undefined);

/** One conversation, as the list of its agent has it. */
function conversationWith(...messages: Parameters<typeof aSession>[0][]) {
  const sessions = messages.map((part, at) => aSession({ id: `int_${at + 1}`, ...part }).session);
  service().override(listSessions, {
    sessions: sessions.map(({ messages: _, ...summary }) => summary),
    next_cursor: null,
  });
  service().override(getSession, ({ params }) => {
    const session = sessions.find(({ id }) => id === params.session_id);
    return session ? { session } : new Refusal("not_found");
  });
}

beforeEach(() => conversationWith());

describe("searching everywhere", () => {
  it("finds a word in the log of a run and lands on its very line", async () => {
    service().state.runs = [run(1, ["begins", "lane NL-PL: MISMATCH of 3", "ends"]), run(2, ["nothing"])];
    const { user, router } = renderConsole("/search");
    await user.type(await field(), "mismatch");
    await ended("1 match");
    expect(router.state.location.search).toEqual({ q: "mismatch" });
    const group = within(screen.getByRole("article", { name: "Say hello" }));
    expect(group.getByText("MISMATCH").tagName).toBe("MARK");
    await user.click(group.getByRole("link", { name: /^Line 2/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/runs/run_1"));
    expect(router.state.location.search).toEqual({ line: 2 });
  });

  it("finds inputs, outputs and why a run failed, and leads to them", async () => {
    service().state.runs = [run(1, [], { outputs: { greeting: "Hello, Ada" } })];
    service().override(listRuns, {
      runs: [aRunSummary({ run_id: "run_1", inputs: { name: "Ada" }, error: "Ada was away" })],
      next_cursor: null,
    });
    renderConsole("/search?q=ada");
    await ended("3 matches");
    expect(hits().map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Input nameAda", "/runs/run_1?tab=inputs"],
      ["ErrorAda was away", "/runs/run_1?tab=outputs"],
      ["Output greetingHello, Ada", "/runs/run_1?tab=outputs"],
    ]);
  });

  it("finds messages and what tools were asked and answered, each by its part", async () => {
    conversationWith({
      messages: [
        aQuestion("Which berths are free?", { id: "m1" }),
        anAnswer(
          [
            aCall("harbor__free_berths", "completed", { quay: "north" }, { berths: ["N4"] }),
            { type: "text", id: "t1", text: "The berths N4 and N9." },
          ],
          { id: "m2" },
        ),
      ],
    });
    renderConsole("/search?q=berths");
    await ended("4 matches");
    const group = within(screen.getByRole("article", { name: "Which berths are free?" }));
    const links = group.getAllByRole("link").filter((link) => link.dataset.stop !== undefined);
    const to = "/agents/agent_clerk/conversations/int_1?part=";
    const q = "&q=berths";
    expect(
      links.map((link) => [link.textContent, decodeURIComponent(link.getAttribute("href") ?? "")]),
    ).toEqual([
      ["MessageWhich berths are free?", `${to}m1.text${q}`],
      ["Toolfree_berths, harbor", `${to}m2.call+harbor__free_berths${q}`],
      ['free_berths: result"berths": [', `${to}m2.call+harbor__free_berths${q}`],
      ["ClerkThe berths N4 and N9.", `${to}m2.t1${q}`],
    ]);
  });

  it("finds artifacts by the service's own search", async () => {
    service().state.artifacts = [
      anArtifact({ id: "art_1", filename: "lanes-november.csv" }),
      anArtifact({ id: "art_2", filename: "other.csv" }),
    ];
    renderConsole("/search?q=LANES&in=artifacts");
    await ended("1 match");
    expect(hits().map((link) => link.getAttribute("href"))).toEqual(["/artifacts/art_1?agent=agent_rates"]);
    expect(service().seen(listRuns)).toEqual([]);
  });

  it("looks only where it is told to, by the address", async () => {
    service().state.runs = [run(1, ["Ada is greeted"], { outputs: { greeting: "Ada" } })];
    const { user, router } = renderConsole("/search?q=ada&in=log,nonsense");
    await ended("1 match");
    expect(hits().map((link) => link.getAttribute("href"))).toEqual(["/runs/run_1?line=1"]);
    await user.click(screen.getByRole("button", { name: "Outputs", pressed: false }));
    await ended("2 matches");
    expect(router.state.location.search).toEqual({ q: "ada", in: "outputs,log" });
    await user.click(screen.getByRole("button", { name: "Everything" }));
    await ended("3 matches");
  });

  it("searches with a pattern, and says what is wrong with one that is none", async () => {
    service().state.runs = [run(1, ["order 12 ok", "order none"])];
    const { user } = renderConsole("/search?q=order%20%5Cd%2B&as=pattern");
    await ended("1 match");
    expect(screen.getByText("order 12").tagName).toBe("MARK");
    await user.type(await field(), "(");
    await screen.findByText("Invalid regular expression");
    expect(screen.getByText(/Unterminated group/)).toBeInTheDocument();
    expect(await field()).toHaveAttribute("aria-invalid", "true");
  });
});

describe("what it costs", () => {
  it("reads two at a time, and another search asks nothing again of what has ended", async () => {
    service().state.runs = [1, 2, 3, 4].map((number) => run(number, [`first second ${number}`]));
    let [begun, open, most] = [0, 0, 0];
    let waiting: (() => void)[] = [];
    service().override(getRun, async ({ query }) => {
      begun += 1;
      open += 1;
      most = Math.max(most, open);
      // Each waits for the one beside it, and then a little for one that should not come.
      await new Promise<void>((beside) => {
        waiting.push(beside);
        if (open < 2 && begun < 4) return;
        for (const go of waiting) go();
        waiting = [];
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      return service().state.runs.find(({ run_id }) => run_id === query.run_id) ?? new Refusal("not_found");
    });
    const { user } = renderConsole("/search?q=first");
    await ended("4 matches");
    expect(most).toBe(2);
    expect(service().seen(getRun)).toHaveLength(4);
    await user.type(await field(), "{Control>}a{/Control}second 3");
    await ended("1 match");
    expect(service().seen(getRun)).toHaveLength(4);
  });

  it("looks through the newest fifty runs, and through older ones when asked", async () => {
    service().override(listRuns, {
      runs: Array.from({ length: 60 }, (_, at) =>
        aRunSummary({
          run_id: `run_${at}`,
          created_ts: minute(59 - (at % 60)),
          inputs: { name: `Ada ${at}` },
        }),
      ),
      next_cursor: null,
    });
    const { user, router } = renderConsole("/search?q=ada&in=inputs");
    await ended("50 matches");
    expect(screen.getByText(/searched the newest 50 runs/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Search 50 more" }));
    await ended("60 matches");
    expect(router.state.location.search).toEqual({ q: "ada", in: "inputs", more: 1 });
    expect(screen.queryByRole("button", { name: /^Search 50 more/ })).toBeNull();
  });

  it("stops when it is told to, and goes on where it was", async () => {
    service().state.runs = [run(1, ["a word"])];
    service().override(getRun, never, { times: 1 });
    const { user } = renderConsole("/search?q=word");
    await waitFor(() => expect(service().seen(getRun)).toHaveLength(1));
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    await ended("0 matches");
    await user.click(await screen.findByRole("button", { name: "Continue" }));
    await ended("1 match");
  });
});

describe("what cannot be read", () => {
  it("is named with its reason and can be tried again", async () => {
    service().state.runs = [run(1, ["a word"]), run(2, ["a word"]), run(3, ["a word"])];
    service().override(getRun, ({ query }) =>
      query.run_id === "run_2"
        ? new Refusal("not_found")
        : query.run_id === "run_3"
          ? new Refusal("internal")
          : run(1, ["a word"]),
    );
    const { user } = renderConsole("/search?q=word");
    await ended("1 match");
    const alert = within(screen.getByRole("alert"));
    expect(alert.getByText("2 items could not be searched")).toBeInTheDocument();
    expect(alert.getByText(/it no longer exists, or your key has no access/)).toBeInTheDocument();
    expect(alert.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/runs/run_3",
      "/runs/run_2",
    ]);
    service().override(getRun, ({ query }) => run(Number(query.run_id.slice(4)), ["a word"]));
    await user.click(alert.getByRole("button", { name: "Try again" }));
    await ended("3 matches");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is the list itself: what this browser knows is looked through all the same", async () => {
    service().override(listRuns, new Refusal("internal"), { times: 3 });
    service().state.runs = [run(1, ["a word"])];
    const { wheelhouse, user } = renderConsole("/search");
    await wheelhouse.api.get()?.history.saw("run_1", { savedItemName: "Known here" });
    await user.type(await field(), "word");
    await screen.findByRole("article", { name: "Known here" });
    await screen.findByText(/^The list of runs:/);
  });

  it("is nothing with the core alone: known runs and conversations are looked through", async () => {
    service().state.runs = [run(1, ["a word"])];
    service().override(agentStatus, aStatus({ messages: [aQuestion("a word", { id: "m1" })] }));
    const { wheelhouse, user } = renderConsole("/search", { as: { known: { named: [], tried: {} } } });
    const api = wheelhouse.api.get();
    await api?.history.saw("run_1", {});
    await api?.conversations.saw("int_1", { agentId: "agent_clerk", name: "About words" });
    await user.type(await field(), "word");
    await ended("2 matches");
    expect(screen.getByRole("article", { name: "About words" })).toBeInTheDocument();
    expect(screen.getByText(/in local history/)).toBeInTheDocument();
    expect(service().seen(listRuns)).toEqual([]);
    expect(service().seen(listSessions)).toEqual([]);
  });
});

describe("by keyboard", () => {
  it("goes to the field, through the results and into one", async () => {
    service().state.runs = [run(1, ["a word", "no", "another word"])];
    const { user, router } = renderConsole("/search?q=word");
    await ended("2 matches");
    await user.keyboard("j");
    expect(document.activeElement).toHaveTextContent("Line 1");
    await user.keyboard("j");
    expect(document.activeElement).toHaveTextContent("Line 3");
    await user.keyboard("k");
    expect(document.activeElement).toHaveTextContent("Line 1");
    await user.keyboard("/");
    expect(document.activeElement).toBe(await field());
    await user.keyboard("{Enter}j");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ line: 3 }));
  });

  it("comes from the palette, whose last entry looks everywhere for what was typed", async () => {
    service().state.runs = [run(1, ["a rare word"])];
    const { user, router } = renderConsole("/runs");
    await screen.findByRole("table", { name: "Runs" });
    await user.keyboard("{Control>}k{/Control}");
    const dialog = within(await screen.findByRole("dialog", { name: "Search or jump to" }));
    await dialog.findByText("Start");
    await user.keyboard("rare word");
    expect(dialog.getAllByRole("option").map((option) => option.textContent)).toEqual([
      expect.stringContaining("Search everywhere for “rare word”"),
    ]);
    await user.keyboard("{Enter}");
    await ended("1 match");
    expect(router.state.location.search).toEqual({ q: "rare word" });
    await user.keyboard("{Control>}k{/Control}");
    await user.keyboard("runs");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(router.state.location.search).toEqual({ q: "runs" }));
  });
});

describe("nothing to show", () => {
  it("says what is searched before anything is asked for", async () => {
    renderConsole("/search");
    await screen.findByRole("heading", { name: "Search everywhere" });
    expect(await field()).toHaveFocus();
    expect(service().seen(listRuns)).toEqual([]);
  });

  it("says what was looked through in vain", async () => {
    service().state.runs = [run(1, ["a word"])];
    renderConsole("/search?q=zebra&in=log");
    await screen.findByRole("heading", { name: "No matches for “zebra”" });
    expect(screen.getByText("Searched 1 run.")).toBeInTheDocument();
    await waitFor(() => expect(document.title).toBe("“zebra” · Search · Wheelhouse"));
  });
});
