import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  approveSource,
  type BrainSource,
  createSource,
  getSource,
  getSourceEstimate,
  listSources,
  searchKnowledge,
} from "../../../contract/knowledge.ts";
import { anyJson, never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

function aSource(part: Partial<BrainSource> = {}): BrainSource {
  return {
    id: "source_law",
    name: "Case law",
    source_type: "direct_file_uploads",
    status: "draft",
    scope: "team",
    team_id: "team_harbor",
    created_by_user_id: "user_ada",
    created_at: "2026-11-20T08:00:00Z",
    estimated_credits: 38.4,
    charged_credits: 0,
    document_count: 3,
    indexed_count: 0,
    failed_count: 0,
    ...part,
  };
}

function withSources(...sources: BrainSource[]) {
  service().override(listSources, () => ({ sources, next_cursor: null }));
  service().override(getSource, ({ params }) => {
    const source = sources.find(({ id }) => id === params.source_id);
    return source ? { source: { ...source, files: [] } } : new Refusal("not_found");
  });
  service().override(getSourceEstimate, ({ params }) => ({
    source_id: params.source_id,
    status: "draft",
    estimate: null,
  }));
}

/** Approving turns the draft active, as the service does. */
function withApproval(sources: BrainSource[]) {
  withSources(...sources);
  service().override(approveSource, ({ params }) => {
    const source = sources.find(({ id }) => id === params.source_id);
    if (!source) return new Refusal("not_found");
    if (source.status !== "draft") return new Refusal("source_not_draft");
    source.status = "active";
    return { source };
  });
}

const teamKey = { kind: "team", secret: "test-key-of-harbor", userId: null, teamId: "team_harbor" } as const;

const group = async (name: string) => within(await screen.findByRole("region", { name }));

describe("the inbox of knowledge sources", () => {
  it("puts first what waits for this person, with what it costs; what waits for others, and what was approved, below", async () => {
    withSources(
      aSource(),
      aSource({
        id: "source_other",
        name: "Of others",
        scope: "personal",
        team_id: null,
        created_by_user_id: "user_bob",
      }),
      aSource({ id: "source_running", name: "Photos", estimated_credits: null }),
      aSource({
        id: "source_old",
        name: "Handbook",
        status: "active",
        estimated_credits: 12,
        charged_credits: 12.1,
      }),
      aSource({ id: "source_odd", name: "Odd", status: "marinating" }),
    );
    renderConsole("/knowledge");
    const waits = await group("Waiting for you");
    expect(waits.getByRole("link", { name: "Case law" })).toBeInTheDocument();
    expect(waits.getByText("38.4 credits")).toBeInTheDocument();
    expect((await group("Waiting for others")).getByRole("link", { name: "Of others" })).toBeInTheDocument();
    expect((await group("Estimating")).getByText("no estimate yet")).toBeInTheDocument();
    const approved = await group("Approved");
    expect(approved.getByText("12.1")).toBeInTheDocument();
    expect(approved.getAllByText(/marinating/)[0]).toBeInTheDocument();
  });

  it("C-38: approves once, however often it is clicked; the button carries the price", async () => {
    withApproval([aSource()]);
    const { user } = renderConsole("/knowledge/source_law");
    await user.dblClick(await screen.findByRole("button", { name: "Approve for 38.4 credits" }));
    await group("Approved");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull());
    expect(service().seen(approveSource)).toHaveLength(1);
  });

  it("C-53: goes from one draft to the next with j, also from one that was approved and moved down", async () => {
    const named = (id: string) => aSource({ id, name: id });
    withApproval([named("source_a"), named("source_b"), named("source_c")]);
    const { user, router } = renderConsole("/knowledge");
    await group("Waiting for you");
    for (const id of ["source_a", "source_b", "source_c"]) {
      await user.keyboard("j");
      await waitFor(() => expect(router.state.location.pathname).toBe(`/knowledge/${id}`));
      await screen.findByRole("button", { name: /^Approve for/ });
      await user.keyboard("a{Enter}");
      await (await group("Approved")).findByRole("link", { name: id });
      await waitFor(() => expect(screen.queryByRole("button", { name: /^Approve for/ })).toBeNull());
    }
    expect(service().seen(approveSource)).toHaveLength(3);
  });

  it.each([
    ["source_not_draft", /Someone already approved it/],
    ["forbidden", /only its creator or team can approve it/],
    ["not_found", /It no longer exists/],
  ] as const)("says in words why an approval was refused: %s", async (code, words) => {
    withSources(aSource());
    service().override(approveSource, new Refusal(code));
    const { user } = renderConsole("/knowledge/source_law");
    await user.click(await screen.findByRole("button", { name: /^Approve for/ }));
    expect(within(await screen.findByRole("alert")).getByText(words)).toBeInTheDocument();
  });

  it("approves several after a last look at the sum, and names the one that was refused", async () => {
    const taken = aSource({ id: "source_taken", name: "Taken", estimated_credits: 1.6 });
    withApproval([aSource(), taken]);
    const { user } = renderConsole("/knowledge");
    await user.click(await screen.findByRole("checkbox", { name: "Select Case law" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Taken" }));
    await user.click(screen.getByRole("button", { name: "Approve 2 for 40 credits…" }));
    const dialog = within(await screen.findByRole("dialog"));
    taken.status = "active";
    await user.click(dialog.getByRole("button", { name: "Approve 2" }));
    await dialog.findByText("1 approved, 1 not.");
    expect(service().seen(approveSource)).toHaveLength(2);
  });

  it("S-15: approves again only what could not be approved, and is done then", async () => {
    withApproval([aSource(), aSource({ id: "source_rates", name: "Rates", estimated_credits: 1.6 })]);
    service().override(approveSource, new Refusal("internal"), { times: 1 });
    const { user } = renderConsole("/knowledge");
    await user.click(await screen.findByRole("checkbox", { name: "Select Case law" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Rates" }));
    await user.click(screen.getByRole("button", { name: "Approve 2 for 40 credits…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Approve 2" }));
    await dialog.findByText("1 approved, 1 not.");
    await user.click(dialog.getByRole("button", { name: "Approve 2" }));
    await screen.findByText("2 sources approved");
    expect(service().seen(approveSource)).toHaveLength(3);
  });

  it("says which was refused also to whoever cancelled while they were being approved", async () => {
    withSources(aSource());
    const answer = service().holdBack(approveSource, new Refusal("forbidden"));
    const { user } = renderConsole("/knowledge");
    await user.click(await screen.findByRole("checkbox", { name: "Select Case law" }));
    await user.click(screen.getByRole("button", { name: "Approve 1 for 38.4 credits…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Approve 1" }));
    await waitFor(() => expect(service().seen(approveSource)).toHaveLength(1));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    answer();
    await screen.findByText("0 approved, 1 not.");
  });

  it("puts a source off until a day, in this browser, and brings it back", async () => {
    withSources(aSource());
    const { user } = renderConsole("/knowledge/source_law");
    await user.click(await screen.findByRole("button", { name: "Snooze" }));
    await user.click(await screen.findByRole("menuitem", { name: "For a week" }));
    const later = await group("Snoozed");
    expect(later.getByText(/snoozed until/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Unsnooze" }));
    expect((await group("Waiting for you")).getByRole("link", { name: "Case law" })).toBeInTheDocument();
  });

  it("puts a source off until the day that was typed, by Enter", async () => {
    withSources(aSource());
    const { user } = renderConsole("/knowledge/source_law");
    await user.click(await screen.findByRole("button", { name: "Snooze" }));
    await user.click(await screen.findByRole("menuitem", { name: "Until another day…" }));
    const day = within(await screen.findByRole("dialog", { name: "Snooze until" })).getByLabelText("Until");
    await user.type(day, "2999-01-01");
    await user.type(day, "{Enter}");
    expect((await group("Snoozed")).getByText(/snoozed until/)).toBeInTheDocument();
  });

  it("shows each file with how far it is and why one could not be read", async () => {
    withSources(aSource({ status: "active" }));
    const file = { sha256: null, size: 1_000 };
    service().override(getSource, {
      source: {
        ...aSource({ status: "active" }),
        files: [
          { ...file, id: "file_1", file_name: "rates.pdf", status: "indexed", page_count: 60 },
          { ...file, id: "file_2", file_name: "sealed.pdf", status: "failed", error: "It is encrypted." },
          { ...file, id: "file_3", file_name: "new.md", status: "fermenting" },
        ],
      },
    });
    renderConsole("/knowledge/source_law");
    expect(within(await screen.findByRole("row", { name: /rates.pdf/ })).getByText("60")).toBeInTheDocument();
    expect(
      within(screen.getByRole("row", { name: /sealed.pdf/ })).getByText(/It is encrypted/),
    ).toBeInTheDocument();
    expect(within(screen.getByRole("row", { name: /new.md/ })).getByText("fermenting")).toBeInTheDocument();
  });

  it("finds passages with file and page, and leads to that page", async () => {
    withSources(aSource());
    service().override(searchKnowledge, {
      results: [
        {
          document_id: "file_1",
          source: "direct_file_uploads",
          title: "rates.pdf",
          content: "Demurrage starts after 48 hours.",
          url: null,
          score: 1,
          updated_at: null,
          metadata: { source_id: "source_law", file_id: "file_1", page: 57, marks: [{ start: 0, end: 9 }] },
        },
      ],
    });
    const { user, router } = renderConsole("/knowledge?tab=search");
    await user.type(await screen.findByRole("searchbox", { name: "Search knowledge" }), "demurrage");
    const link = await screen.findByRole("link", { name: "rates.pdf, page 57" });
    expect(screen.getByText("Demurrage").tagName).toBe("MARK");
    await user.click(link);
    expect(router.state.location.pathname).toBe("/knowledge/source_law");
    expect(router.state.location.search).toEqual({ file: "file_1", page: 57 });
  });

  it("says that a word is missing where the search only says what to leave out", async () => {
    withSources(aSource());
    service().override(searchKnowledge, new Refusal("invalid_body"));
    renderConsole("/knowledge?tab=search&q=-demurrage");
    await screen.findByText("Enter a word to search for");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("makes a source for a team, which starts as a draft", async () => {
    withSources();
    service().override(createSource, () => {
      const source = aSource({ id: "source_new", name: "Rates" });
      withSources(source);
      return { source };
    });
    const { user, router } = renderConsole("/knowledge");
    await screen.findByText("No knowledge sources yet");
    expect(screen.getByText(/Create the first source with the button or this command, then/)).toBeVisible();
    await user.click(screen.getAllByRole("button", { name: "New source" })[0] as HTMLElement);
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByRole("textbox", { name: "Name" }), "Rates");
    await user.selectOptions(dialog.getByRole("combobox"), "Team Harbor");
    await user.click(dialog.getByRole("button", { name: "Create source" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/knowledge/source_new"));
    // What was made has the focus, not the button that opened the form.
    await waitFor(() => expect(document.activeElement?.closest("[data-row=source_new]")).not.toBeNull());
    expect(service().seen(createSource)[0]?.body).toEqual({
      name: "Rates",
      scope: "team",
      team_id: "team_harbor",
      require_approval: true,
    });
  });

  it("asks before the name of a new source that was typed is thrown away", async () => {
    withSources(aSource());
    const { user } = renderConsole("/knowledge");
    await user.click(await screen.findByRole("button", { name: "New source" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByRole("textbox", { name: "Name" }), "Rates{Escape}");
    expect(dialog.getByText("What you typed is not saved.")).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Discard" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("offers no new source to a team's key, which the service refuses, and says what does", async () => {
    withSources(aSource());
    const { user, unmount } = renderConsole("/knowledge", { as: { credential: teamKey } });
    const button = await screen.findByRole("button", { name: "New source" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toHaveAccessibleDescription("A new source needs a personal key");
    // Also where there is no mouse to hover with.
    expect(await screen.findByText(/; a new one needs a personal key/)).toBeVisible();
    await user.click(button);
    expect(screen.queryByRole("dialog")).toBeNull();
    unmount();
    withSources();
    renderConsole("/knowledge", { as: { credential: teamKey } });
    await screen.findByText(/Create the first source with a personal key,/);
    for (const one of screen.getAllByRole("button", { name: "New source" }))
      expect(one).toHaveAttribute("aria-disabled", "true");
  });

  it("says in words that there are too many drafts, and keeps what was typed", async () => {
    withSources(aSource());
    service().override(createSource, new Refusal("too_many_drafts"));
    const { user } = renderConsole("/knowledge");
    await user.click(await screen.findByRole("button", { name: "New source" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByRole("textbox", { name: "Name" }), "Rates");
    await user.click(dialog.getByRole("button", { name: "Create source" }));
    const alert = within(await dialog.findByRole("alert"));
    expect(alert.getByText("Too many pending sources")).toBeInTheDocument();
    expect(alert.getByText(/approve some, or add files, first/)).toBeInTheDocument();
    expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Rates");
  });

  it("approves by id where the service does not list sources, which is all that the interface has", async () => {
    service().override(approveSource, { source: aSource({ status: "active" }) });
    const { user } = renderConsole("/knowledge", {
      as: { known: { named: null, tried: { knowledge_sources: false } } },
    });
    await user.type(await screen.findByRole("textbox", { name: "Source ID" }), "source_law");
    await user.click(screen.getByRole("button", { name: "Approve" }));
    await screen.findByText("Approved");
  });

  it("fills in the id that a link to a source names, where the service does not list sources", async () => {
    renderConsole("/knowledge/source_law", {
      as: { known: { named: null, tried: { knowledge_sources: false } } },
    });
    expect(await screen.findByRole("textbox", { name: "Source ID" })).toHaveValue("source_law");
  });

  it("C-01: lives with nulls and broken rows, and says why the list could not be read", async () => {
    service().override(
      listSources,
      anyJson({ sources: [null, { id: "source_bare", name: null, status: null }, 7] }),
    );
    const { unmount } = renderConsole("/knowledge");
    await screen.findByRole("link", { name: "source_bare" });
    unmount();
    service().override(listSources, new Refusal("internal"));
    const failing = renderConsole("/knowledge");
    await screen.findByText("The knowledge sources could not be loaded");
    failing.unmount();
    service().override(listSources, never);
    renderConsole("/knowledge");
    await screen.findByText("Loading knowledge sources");
  });

  it("says that a source is not there, with the way back", async () => {
    withSources(aSource());
    renderConsole("/knowledge/source_gone");
    await screen.findByText("Knowledge source not found, or you have no access");
    expect(screen.getByRole("link", { name: "All sources" })).toBeInTheDocument();
  });
});
