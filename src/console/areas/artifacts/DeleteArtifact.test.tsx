import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { deleteArtifact, restoreArtifact } from "../../../contract/artifact-deletion.ts";
import { type Artifact, getArtifactDownload } from "../../../contract/artifacts.ts";
import { listSessions } from "../../../contract/sessions.ts";
import { anArtifact } from "../../../testing/access.ts";
import { fileUrl, serveFiles } from "../../../testing/artifact-files.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

const person = (id: string) => ({
  ...{ id, first_name: "A", last_name: "B", email: `${id}@example.com`, profile_picture: null },
});
const file = (id: string, part: Partial<Artifact> = {}) =>
  anArtifact({
    ...{ id, filename: `${id}.csv`, agent_id: "agent_clerk", creator: person("user_ada") },
    ...{ url: fileUrl("first"), ...part },
  });

/** What is deleted goes from the service's list, and comes back with a restoring. */
function withArtifacts(...artifacts: Artifact[]) {
  const { state } = service();
  const gone = new Map<string, Artifact>();
  state.artifacts = artifacts;
  serveFiles(service(), { first: "lane,eur\n" });
  service().override(getArtifactDownload, ({ params }) => {
    const found = state.artifacts.find(({ id }) => id === params.artifact_id);
    if (!found) return new Refusal("not_found");
    return { download_url: fileUrl("first"), filename: found.filename, media_type: null, size: null };
  });
  service().override(deleteArtifact, ({ params }) => {
    const found = state.artifacts.find(({ id }) => id === params.artifact_id);
    if (!found) return new Refusal("not_found");
    gone.set(found.id, found);
    state.artifacts = state.artifacts.filter((one) => one !== found);
    const now = Date.now();
    return {
      artifact_id: found.id,
      deleted_at: new Date(now).toISOString(),
      restorable_until: new Date(now + 86_400_000).toISOString(),
    };
  });
  service().override(restoreArtifact, ({ params }) => {
    const found = gone.get(params.artifact_id);
    if (!found) return new Refusal("not_found");
    state.artifacts = [...state.artifacts, found];
    return { artifact_id: found.id };
  });
}

beforeEach(() => service().override(listSessions, { sessions: [], next_cursor: null }));

const openMenu = async (user: ReturnType<typeof renderConsole>["user"]) => {
  await user.click(await screen.findByRole("button", { name: "More" }));
};
const toast = (title: string) => screen.findByText(title);

describe("deleting an artifact", () => {
  it("says what ends with it first, leaves its page, and is taken back by one click", async () => {
    withArtifacts(file("rates"));
    const { user, router } = renderConsole("/artifacts/rates");
    await openMenu(user);
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete rates.csv?" }));
    expect(
      dialog.getByText(/You can restore it for a day; after that, it is permanently deleted/),
    ).toBeInTheDocument();
    expect(dialog.getByText(/links and shares stop working/)).toBeInTheDocument();
    expect(service().seen(deleteArtifact)).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "Delete artifact" }));
    await toast("rates.csv deleted");
    await waitFor(() => expect(router.state.location.pathname).toBe("/artifacts"));
    await screen.findByText("No artifacts yet");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await toast("rates.csv restored");
    await screen.findByRole("row", { name: /rates\.csv/ });
  });

  it("its address says that the person deleted it here, and restores it", async () => {
    withArtifacts(file("rates"));
    const { user, router } = renderConsole("/artifacts/rates");
    await openMenu(user);
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    await user.click(await screen.findByRole("button", { name: "Delete artifact" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/artifacts"));
    await router.navigate({ to: "/artifacts/$artifactId", params: { artifactId: "rates" } });
    await screen.findByRole("heading", { name: "You deleted rates.csv" });
    await user.click(screen.getByRole("button", { name: "Restore" }));
    await screen.findByRole("heading", { level: 2, name: "rates.csv" });
  });

  it.each([
    ["forbidden", /only its owner can delete it/],
    ["not_found", /already deleted/],
  ] as const)("says in words why it was not deleted: %s", async (code, words) => {
    withArtifacts(file("rates"));
    service().override(deleteArtifact, new Refusal(code));
    const { user } = renderConsole("/artifacts/rates");
    await openMenu(user);
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    await user.click(await screen.findByRole("button", { name: "Delete artifact" }));
    expect(within(await screen.findByRole("dialog")).getByRole("alert")).toHaveTextContent(words);
  });

  it("says why it was not restored where its conversation wrote the name anew", async () => {
    withArtifacts(file("rates"));
    service().override(restoreArtifact, new Refusal("name_taken"));
    const { user } = renderConsole("/artifacts/rates");
    await openMenu(user);
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    await user.click(await screen.findByRole("button", { name: "Delete artifact" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await toast("rates.csv not restored");
    expect(screen.getByText(/since written another file with this name/)).toBeInTheDocument();
  });

  it.each([
    ["of somebody else", {}, { creator: person("user_bob") }],
    [
      "where the service cannot",
      { known: { named: ["artifacts", "artifact_download"] as const, tried: {} } },
      {},
    ],
  ])("is not offered %s", async (_, as, part) => {
    withArtifacts(file("rates", part));
    const { user } = renderConsole("/artifacts/rates", { as });
    await openMenu(user);
    await screen.findByRole("menuitem", { name: "Copy artifact ID" });
    expect(screen.queryByRole("menuitem", { name: "Delete…" })).toBeNull();
  });

  it("is not offered for several where the service cannot", async () => {
    withArtifacts(file("a"), file("b"));
    const { user } = renderConsole("/artifacts", {
      as: { known: { named: ["artifacts", "artifact_download"], tried: {} } },
    });
    await user.click(await screen.findByRole("checkbox", { name: /all/i }));
    await screen.findByText(/2 selected/);
    expect(screen.queryByRole("button", { name: /^Delete/ })).toBeNull();
  });

  it("several at once, each with its own result; what is another's stays", async () => {
    withArtifacts(file("a"), file("b"), file("c", { creator: person("user_bob") }));
    service().override(deleteArtifact, new Refusal("unavailable"), { times: 1 });
    const { user } = renderConsole("/artifacts");
    await user.click(await screen.findByRole("checkbox", { name: /all/i }));
    await user.click(screen.getByRole("button", { name: "Delete 2…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete 2 artifacts?" }));
    await user.click(dialog.getByRole("button", { name: "Delete 2" }));
    await dialog.findByText(/1 deleted, 1 not/);
    await user.click(dialog.getByRole("button", { name: "Delete 2" }));
    await toast("2 artifacts deleted");
    await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(2));
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await toast("2 artifacts restored");
    await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(4));
  });
});
