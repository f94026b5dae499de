import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type BrainSource, getSource, getSourceEstimate, listSources } from "../../../contract/knowledge.ts";
import { deleteSource, restoreSource } from "../../../contract/source-deletion.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

const aSource = (part: Partial<BrainSource> = {}): BrainSource => ({
  ...{ id: "source_law", name: "Case law", source_type: "direct_file_uploads", status: "draft" },
  ...{ scope: "personal", team_id: null, created_by_user_id: "user_ada" },
  ...{ created_at: "2026-11-20T08:00:00Z", estimated_credits: 38.4, charged_credits: 0, document_count: 3 },
  ...part,
});

/** What is deleted goes from the service, and comes back with a restoring. */
function withSources(...given: BrainSource[]) {
  let sources = given;
  const gone = new Map<string, BrainSource>();
  const find = (id: string) => sources.find((one) => one.id === id);
  service().override(listSources, () => ({ sources, next_cursor: null }));
  service().override(getSource, ({ params }) => {
    const source = find(params.source_id);
    return source ? { source: { ...source, files: [] } } : new Refusal("not_found");
  });
  service().override(getSourceEstimate, ({ params }) => ({
    ...{ source_id: params.source_id, status: "draft", estimate: null },
  }));
  service().override(deleteSource, ({ params }) => {
    const source = find(params.source_id);
    if (!source) return new Refusal("not_found");
    gone.set(source.id, source);
    sources = sources.filter((one) => one !== source);
    const at = new Date();
    const until = new Date(at.getTime() + 86_400_000);
    return {
      ...{ source_id: source.id, deleted_at: at.toISOString(), restorable_until: until.toISOString() },
    };
  });
  service().override(restoreSource, ({ params }) => {
    const source = gone.get(params.source_id);
    if (!source) return new Refusal("not_found");
    sources = [...sources, source];
    return { source };
  });
}

describe("deleting a knowledge source", () => {
  it("a draft: says that its wait ends and nothing is charged, and is taken back by one click", async () => {
    withSources(aSource());
    const { user, router } = renderConsole("/knowledge/source_law");
    await screen.findByText(/Refusing deletes it; you can undo that for a day/);
    await user.click(screen.getByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete Case law?" }));
    expect(dialog.getByText("Nothing is charged. Pending approval is cancelled.")).toBeInTheDocument();
    expect(dialog.getByText(/Its 3 files and index are deleted too/)).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Delete source" }));
    await screen.findByText("Case law deleted");
    await waitFor(() => expect(router.state.location.pathname).toBe("/knowledge"));
    await screen.findByText("No knowledge sources yet");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByText("Case law restored");
    await screen.findByRole("link", { name: "Case law" });
  });

  it("leaves a person where they went while it was on its way", async () => {
    withSources(aSource());
    const answer = service().holdBack(deleteSource, ({ params }) => {
      const until = new Date(Date.now() + 86_400_000).toISOString();
      return { source_id: params.source_id, deleted_at: new Date().toISOString(), restorable_until: until };
    });
    const { user, router } = renderConsole("/agents");
    await screen.findByRole("heading", { name: "Agents" });
    await router.navigate({ to: "/knowledge/$sourceId", params: { sourceId: "source_law" } });
    await user.click(await screen.findByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete Case law?" }));
    await user.click(dialog.getByRole("button", { name: "Delete source" }));
    router.history.back();
    await screen.findByRole("heading", { name: "Agents" });
    answer();
    await screen.findByText("Case law deleted");
    await screen.findByRole("button", { name: "Undo" });
    expect(router.state.location.pathname).toBe("/agents");
  });

  it("an active one: says what was charged; its address then says who deleted it, and restores it", async () => {
    withSources(aSource({ status: "active", charged_credits: 12.1 }));
    const { user, router } = renderConsole("/knowledge/source_law");
    await user.click(await screen.findByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/can no longer search it/)).toBeInTheDocument();
    expect(dialog.getByText("The 12.1 credits already charged are not refunded.")).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Delete source" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/knowledge"));
    await router.navigate({ to: "/knowledge/$sourceId", params: { sourceId: "source_law" } });
    await screen.findByRole("heading", { name: "You deleted Case law" });
    await user.click(screen.getByRole("button", { name: "Restore" }));
    await screen.findByRole("heading", { level: 2, name: "Case law" });
  });

  it("is not offered for another's, nor where the service cannot", async () => {
    withSources(aSource({ scope: "organization", created_by_user_id: "user_bob" }));
    const { unmount } = renderConsole("/knowledge/source_law");
    await screen.findByRole("heading", { level: 2, name: "Case law" });
    expect(screen.queryByRole("button", { name: "Delete…" })).toBeNull();
    unmount();
    withSources(aSource());
    renderConsole("/knowledge/source_law", {
      as: { known: { named: ["knowledge_sources", "knowledge_estimates"], tried: {} } },
    });
    await screen.findByText(/^Snoozing only hides it/);
    expect(screen.queryByRole("button", { name: "Delete…" })).toBeNull();
  });

  it("is not offered for what is picked where the service cannot", async () => {
    withSources(aSource(), aSource({ id: "source_old", name: "Handbook", status: "active" }));
    const { user } = renderConsole("/knowledge", {
      as: { known: { named: ["knowledge_sources", "knowledge_estimates"], tried: {} } },
    });
    await user.click(await screen.findByRole("checkbox", { name: "Select Case law" }));
    expect(screen.getByRole("button", { name: "Approve 1 for 38.4 credits…" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /^Delete/ })).toBeNull();
    // What is approved has nothing else to be picked for.
    expect(screen.queryByRole("checkbox", { name: "Select Handbook" })).toBeNull();
  });

  it("several that are picked, drafts and approved ones, and says which was not deleted", async () => {
    withSources(aSource(), aSource({ id: "source_old", name: "Handbook", status: "active" }));
    service().override(deleteSource, new Refusal("unavailable"), { times: 1 });
    const { user } = renderConsole("/knowledge");
    await user.click(await screen.findByRole("checkbox", { name: "Select Case law" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Handbook" }));
    expect(screen.getByRole("button", { name: "Approve 1 for 38.4 credits…" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Delete 2…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete 2 sources?" }));
    await user.click(dialog.getByRole("button", { name: "Delete 2" }));
    await dialog.findByText(/1 deleted, 1 not/);
    await user.click(dialog.getByRole("button", { name: "Delete 2" }));
    await screen.findByText("2 sources deleted");
    await screen.findByText("No knowledge sources yet");
  });
});
