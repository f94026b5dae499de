import { Blob as WholeBlob } from "node:buffer";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { explainPermissions } from "../../../contract/admin.ts";
import {
  type Artifact,
  getArtifactDownload,
  listAgentArtifacts,
  listArtifacts,
} from "../../../contract/artifacts.ts";
import { agentStatus } from "../../../contract/interactions.ts";
import { listSessions } from "../../../contract/sessions.ts";
import { anArtifact } from "../../../testing/access.ts";
import { withAdmin } from "../../../testing/admin.ts";
import { fileUrl, serveFiles } from "../../../testing/artifact-files.ts";
import { anAgent } from "../../../testing/builders.ts";
import { anAnswer, aStatus } from "../../../testing/conversations.ts";
import { badAddresses, tagLike } from "../../../testing/hostile/payloads.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { testWorkers, workerEnds } from "../../../testing/test-wheelhouse.ts";
import { viewSizes } from "../../../testing/view-sizes.ts";
import type { WorkerEnd } from "../../lib/workers/calls.ts";

vi.stubGlobal("Blob", WholeBlob);
viewSizes({ row: 20 });

const service = mockServicePerTest();
const core = {
  as: { known: { named: null, tried: { sessions: false, artifact_download: false, live_messages: false } } },
};
const title = (name: string | RegExp) => screen.findByRole("heading", { level: 2, name });

const file = (part: Partial<Artifact> = {}) =>
  anArtifact({ id: "art_1", agent_id: "agent_clerk", url: fileUrl("first"), ...part });

/** The service has this one, and gives a link with the signature `fresh` when it is asked for another. */
function withArtifact(part: Partial<Artifact> = {}) {
  service().state.artifacts = [file(part)];
  service().override(getArtifactDownload, {
    download_url: fileUrl("fresh"),
    filename: part.filename ?? "rates.csv",
    media_type: null,
    size: null,
  });
}

beforeEach(() => service().override(listSessions, { sessions: [], next_cursor: null }));

describe("the page of an artifact", () => {
  it("shows a table as it is in the file, with where it came from", async () => {
    serveFiles(service(), { first: "lane,eur\nNL-DE,1708.21\nNL-PL,007\n" });
    withArtifact();
    renderConsole("/artifacts/art_1?agent=agent_clerk");
    await title("rates.csv");
    const table = within(await screen.findByRole("table", { name: "rates.csv" }));
    await table.findByRole("columnheader", { name: "eur" });
    await table.findByRole("cell", { name: "007" });
    expect(screen.getByText(/Rows 2 to \d of 3/)).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "with Clerk" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/conversations/int_1",
    );
    await waitFor(() => expect(document.title).toBe("rates.csv · Wheelhouse"));
  });

  it.each([
    ["table", "rates.csv"],
    ["text", "rates.txt"],
  ])("says so where the reader of a %s ends after it has opened the file", async (_kind, filename) => {
    serveFiles(service(), { first: "lane,eur\nNL-DE,1708.21\n" });
    withArtifact({ filename, metadata: {} });
    const files = (): WorkerEnd => {
      const port = workerEnds.files();
      let end = () => {};
      return {
        ...port,
        listen: (take, onDeath) => {
          end = onDeath;
          port.listen(take, onDeath);
        },
        postMessage: (message, transfer) => {
          if ("method" in message && message.method === "rows") queueMicrotask(end);
          else port.postMessage(message, transfer);
        },
      };
    };
    renderConsole("/artifacts/art_1", { browser: { workers: testWorkers({ files }) } });
    await screen.findByText("The preview stopped working");
  });

  it("S-191: says which role deletes what has no creator", async () => {
    serveFiles(service(), { first: "a,b\n1,2\n" });
    withArtifact({ creator: null });
    withAdmin(service(), { role: "member", inHarbor: "viewer" });
    service().override(explainPermissions, {
      answers: [
        {
          ...{ right: "delete", role: "viewer", team_id: "team_harbor", needs: "operator" },
          ...{ allowed: false, rule: "team_role" },
        },
      ],
    });
    const { user } = renderConsole("/artifacts/art_1");
    await title("rates.csv");
    await user.click(await screen.findByRole("button", { name: "More" }));
    await screen.findByText(/Delete: You are Viewer in Harbor; this takes Operator/);
    expect(screen.queryByRole("menuitem", { name: "Delete…" })).toBeNull();
  });

  it("shows markdown laid out, and as it was written in a tab of the address", async () => {
    serveFiles(service(), { first: "# A title\n\nSome **words**" });
    withArtifact({ filename: "a.md", metadata: { media_type: "text/markdown" } });
    const { user, router } = renderConsole("/artifacts/art_1");
    await screen.findByRole("heading", { name: "A title" });
    await user.click(screen.getByRole("link", { name: "Raw" }));
    await screen.findByText("# A title");
    expect(router.state.location.search).toMatchObject({ tab: "raw" });
  });

  it("shows what looks like tags in markdown as the text that it is", async () => {
    serveFiles(service(), { first: tagLike.text });
    withArtifact({ filename: "a.md", metadata: { media_type: "text/markdown" } });
    renderConsole("/artifacts/art_1");
    const shown = await screen.findByRole("region", { name: "Text of a.md" });
    await screen.findByText("Promise<string>");
    for (const seen of tagLike.seen) expect(shown.textContent).toContain(seen);
  });

  it("shows JSON as a tree, and what is none as it was written", async () => {
    serveFiles(service(), { first: '{"lane": "NL-DE"', second: '{"lane": "NL-DE"}' });
    withArtifact({ filename: "a.json", metadata: { media_type: "application/json" } });
    const { unmount } = renderConsole("/artifacts/art_1");
    await screen.findByText(/not valid JSON/);
    unmount();
    withArtifact({ filename: "a.json", metadata: {}, url: fileUrl("second") });
    renderConsole("/artifacts/art_1");
    await screen.findByText('"NL-DE"');
  });

  it("C-10: frames a page without any right, and shows a drawing as a picture only", async () => {
    serveFiles(service(), { first: "<h1>Hello</h1><script>parent.__xss=1</script>", second: "<svg/>" });
    withArtifact({ filename: "a.html", metadata: { media_type: "text/html" } });
    const { unmount } = renderConsole("/artifacts/art_1");
    const framed = await screen.findByTitle("The page a.html");
    expect(framed.getAttribute("sandbox")).toBe("");
    expect(framed.getAttribute("referrerpolicy")).toBe("no-referrer");
    expect(framed.getAttribute("src")).toBe(fileUrl("first"));
    unmount();
    withArtifact({ filename: "a.svg", metadata: { media_type: "image/svg+xml" }, url: fileUrl("second") });
    const { container } = renderConsole("/artifacts/art_1");
    expect(await screen.findByRole("img", { name: "a.svg" })).toHaveAttribute("src", fileUrl("second"));
    expect(container.querySelector("iframe, object, embed")).toBeNull();
  });

  it("C-06: frames no page that would open connections by its mere markup", async () => {
    serveFiles(service(), {
      first: "<link rel='pre&#99;onnect' href='https://spy.example.test'><h1>Hi</h1>",
    });
    withArtifact({ filename: "a.html", metadata: { media_type: "text/html" } });
    const { user, container } = renderConsole("/artifacts/art_1");
    await screen.findByText("This page connects to other sites");
    expect(container.querySelector("iframe")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Show as text" }));
    await screen.findByText(/pre&#99;onnect/);
  });

  it.each([
    ["a.zip", "application/zip", "No preview for this file type"],
    ["scan_0146b", null, "Unknown file type"],
  ])("C-10: offers %s as a download with type and size", async (filename, media_type, words) => {
    withArtifact({ filename, metadata: { media_type, size: 18_200_000 } });
    renderConsole("/artifacts/art_1");
    await screen.findByText(words);
    expect(screen.getAllByText(/18\.2 MB/)).not.toHaveLength(0);
    expect(screen.getAllByRole("button", { name: "Download" })).not.toHaveLength(0);
  });

  it("C-10: says that a file is empty, whether its size was given or not", async () => {
    serveFiles(service(), { first: "" });
    withArtifact({ filename: "a.txt", metadata: {} });
    const { unmount } = renderConsole("/artifacts/art_1");
    await screen.findByText("This file is empty");
    unmount();
    withArtifact({ filename: "a.png", metadata: { media_type: "image/png" } });
    renderConsole("/artifacts/art_1");
    await screen.findByText("This file is empty");
  });

  it("C-10: never takes bytes for text, and says what is broken", async () => {
    serveFiles(service(), { first: new Uint8Array([0x4d, 0x5a, 0, 1, 2]) });
    withArtifact({ filename: "a.txt", metadata: { media_type: "text/plain" } });
    const { unmount } = renderConsole("/artifacts/art_1");
    await screen.findByText("This file can’t be read");
    unmount();
    withArtifact({ filename: "a.xlsx", metadata: {} });
    renderConsole("/artifacts/art_1");
    await screen.findByText("This file can’t be read");
  });

  it("reads a big file only when it is asked to, and one that is too big never", async () => {
    const files = serveFiles(service(), { first: "one\ntwo" });
    withArtifact({ filename: "a.txt", metadata: { size: 12_000_000 } });
    const { user, unmount } = renderConsole("/artifacts/art_1");
    await screen.findByText("12.0 MB: not loaded automatically");
    expect(files.asked).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Show anyway" }));
    await screen.findByText("two");
    unmount();
    withArtifact({ filename: "a.txt", metadata: { size: 2_000_000_000 } });
    renderConsole("/artifacts/art_1");
    await screen.findByText("2.0 GB: too large to show here");
    expect(screen.queryByRole("button", { name: "Show anyway" })).toBeNull();
  });

  it("C-37: renews a link that has ended exactly once", async () => {
    const files = serveFiles(service(), { first: 410, fresh: "the words" });
    withArtifact({ filename: "a.txt", metadata: {} });
    renderConsole("/artifacts/art_1");
    await screen.findByText("the words");
    expect(files.asked).toEqual(["first", "fresh"]);
    // One to find the artifact, one for the new link.
    expect(service().seen(getArtifactDownload)).toHaveLength(2);
  });

  it("C-37: says so where the new link has ended too, and asks for no third by itself", async () => {
    const files = serveFiles(service(), {});
    withArtifact({ filename: "a.txt", metadata: {} });
    const { user } = renderConsole("/artifacts/art_1");
    await screen.findByText(/link to this file has expired/);
    expect(files.asked).toEqual(["first", "fresh"]);
    await user.click(screen.getByRole("button", { name: "Get a new link" }));
    await waitFor(() => expect(files.asked).toHaveLength(4));
  });

  it("C-37: with the core alone renews it by reading the list again", async () => {
    const files = serveFiles(service(), { second: "the words" });
    service().state.agents = [anAgent()];
    const text = { filename: "a.txt", metadata: {} };
    const lists = [file(text), file({ ...text, url: fileUrl("second") })];
    service().override(listAgentArtifacts, () => ({
      artifacts: [lists.length > 1 ? (lists.shift() ?? file()) : (lists[0] ?? file())],
      next_cursor: null,
    }));
    renderConsole("/artifacts/art_1?agent=agent_clerk", core);
    await screen.findByText("the words");
    expect(files.asked.filter((one) => one === "second")).toHaveLength(1);
  });

  it("C-37: downloads by a link that was asked for at the click, and puts none into the page", async () => {
    const clicked: HTMLAnchorElement[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this);
    });
    serveFiles(service(), { first: "x" });
    withArtifact({ filename: "a.txt", metadata: {} });
    const { user, container } = renderConsole("/artifacts/art_1");
    await screen.findByText("1 line");
    expect(container.innerHTML).not.toContain("signature=");
    await user.click(screen.getAllByRole("button", { name: "Download" })[0] ?? container);
    await waitFor(() => expect(clicked).toHaveLength(1));
    expect(clicked[0]?.href).toBe(fileUrl("fresh"));
    expect(clicked[0]).toMatchObject({
      download: "a.txt",
      rel: "noopener noreferrer",
      referrerPolicy: "no-referrer",
    });
  });

  it("plays on from where a recording broke off, also where its link was good all the time", async () => {
    serveFiles(service(), { first: "sound" });
    withArtifact({ filename: "call.mp3", metadata: { media_type: "audio/mpeg" } });
    const { container } = renderConsole("/artifacts/art_1");
    const player = () => container.querySelector("audio");
    await waitFor(() => expect(player()).not.toBeNull());
    const broken = player() ?? container;
    Object.assign(broken, { currentTime: 42 });
    fireEvent.timeUpdate(broken);
    fireEvent.error(broken);
    await waitFor(() => expect(player()).not.toBe(broken));
    const again = player() ?? container;
    fireEvent.loadedMetadata(again);
    expect(again).toMatchObject({ src: fileUrl("first"), currentTime: 42 });
  });

  it("C-05: never asks another place for a file, and names it", async () => {
    withArtifact({ url: "https://xn--pypal-4ve.com/signed/1" });
    const { container } = renderConsole("/artifacts/art_1");
    await screen.findByText("This file is stored at xn--pypal-4ve.com");
    expect(container.querySelector("iframe, img, video, audio, a[href*='pypal']")).toBeNull();
  });

  it.each(badAddresses)("C-05: opens nothing at %s", async (url) => {
    withArtifact({ url });
    const { container } = renderConsole("/artifacts/art_1");
    await screen.findByText(/can’t be opened/);
    for (const part of container.querySelectorAll("[href],[src]")) {
      expect(part.getAttribute("href") ?? part.getAttribute("src")).toMatch(/^\/(?![/\\])/);
    }
  });

  it("C-08: shows marks for what turns a name or a text", async () => {
    serveFiles(service(), { first: "pay \u202Eecnalab\u202C now" });
    withArtifact({ filename: "holiday-\u202Egpj.txt", metadata: {} });
    renderConsole("/artifacts/art_1");
    await title(/holiday-⟨U\+202E⟩gpj\.txt/);
    await screen.findByText(/pay ⟨U\+202E⟩ecnalab⟨U\+202C⟩ now/);
    expect(document.title).not.toContain("\u202E");
  });

  it("compares two versions that only the conversation tells of, line by line", async () => {
    serveFiles(service(), { v1: "one\ntwo\nthree", first: "one\n2\nthree\nfour" });
    service().state.agents = [anAgent()];
    service().state.artifacts = [file({ filename: "a.txt", major_version: 2, version_id: "ver_2" })];
    const part = (url: string) =>
      anAnswer([{ type: "file", file: { filename: "a.txt", media_type: "text/plain", artifact_url: url } }], {
        id: url,
      });
    service().override(agentStatus, aStatus({ messages: [part(fileUrl("v1")), part(fileUrl("first"))] }));
    const { user, router } = renderConsole("/artifacts/art_1?agent=agent_clerk", core);
    await user.click(await screen.findByRole("link", { name: "Changes since version 1" }));
    await screen.findByText("1 line changed, 1 added");
    await screen.findByText("four");
    await user.click(screen.getByRole("button", { name: /Version 2/ }));
    await user.click(await screen.findByRole("menuitemradio", { name: /Version 1/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ version: "1" }));
  });

  it("says that a version cannot be had, where nobody tells of it", async () => {
    service().state.agents = [anAgent()];
    service().state.artifacts = [file({ filename: "a.txt", major_version: 3, session_id: null })];
    renderConsole("/artifacts/art_1?agent=agent_clerk&version=2", core);
    await screen.findByText(/Version 2 is not available/);
    expect(screen.getByRole("link", { name: "Show the latest version" })).toBeInTheDocument();
  });

  it("finds an artifact of which only the id is known in the lists of the agents, with the core alone", async () => {
    serveFiles(service(), { first: "x" });
    service().state.agents = [anAgent({ id: "agent_other", name: "Other" }), anAgent()];
    service().state.artifacts = [file({ filename: "a.txt" })];
    renderConsole("/artifacts/art_1", core);
    await title("a.txt");
  });

  it("says where it was looked for in vain", async () => {
    service().state.agents = [anAgent()];
    renderConsole("/artifacts/art_nobody", core);
    await screen.findByText("Artifact not found, or you have no access");
    expect(screen.getByText(/not in the lists of one agent/)).toBeInTheDocument();
  });

  it("says that there is none, where the service says so", async () => {
    service().override(getArtifactDownload, new Refusal("not_found"));
    renderConsole("/artifacts/art_nobody");
    await screen.findByText("Artifact not found, or you have no access");
  });

  it("says that it is gone, once its list does not hold it any more", async () => {
    serveFiles(service(), { first: "x" });
    withArtifact({ filename: "a.txt", metadata: {} });
    const { wheelhouse } = renderConsole("/artifacts/art_1");
    await title("a.txt");
    service().state.artifacts = [];
    service().override(getArtifactDownload, new Refusal("not_found"));
    await wheelhouse.queries.invalidateQueries();
    await screen.findByText("This artifact is gone");
  });

  it("says what failed while it was looked for, and looks again by the button", async () => {
    serveFiles(service(), { first: "x" });
    withArtifact({ filename: "a.txt", metadata: {} });
    service().override(getArtifactDownload, new Refusal("internal"), { times: 3 });
    const { user } = renderConsole("/artifacts/art_1");
    await user.click(await screen.findByRole("button", { name: "Retry" }));
    await title("a.txt");
  });

  it("leads from a file in a conversation to its artifact", async () => {
    serveFiles(service(), { first: "x" });
    withArtifact({ filename: "a.txt", metadata: {} });
    const { router } = renderConsole("/artifacts/in/int_1?agent=agent_clerk&name=a.txt");
    await waitFor(() => expect(router.state.location.pathname).toBe("/artifacts/art_1"));
    await title("a.txt");
  });

  it("says that a file in a conversation is no artifact any more", async () => {
    renderConsole("/artifacts/in/int_1?agent=agent_clerk&name=a.txt");
    await screen.findByText("File not found");
    expect(service().seen(listArtifacts)[0]?.url.searchParams.get("session_id")).toBe("int_1");
  });
});
