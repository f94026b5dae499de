import { Blob as WholeBlob } from "node:buffer";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Artifact, listAgentArtifacts, listArtifacts } from "../../../contract/artifacts.ts";
import { downloadFiles } from "../../../contract/files.ts";
import { listSessions } from "../../../contract/sessions.ts";
import { anArtifact } from "../../../testing/access.ts";
import { withAdmin } from "../../../testing/admin.ts";
import { fileUrl, serveFiles } from "../../../testing/artifact-files.ts";
import { anAgent } from "../../../testing/builders.ts";
import { storedZip } from "../../../testing/core-only/zip.ts";
import { anyJson, never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import * as files from "../../lib/files.ts";
import { readZip } from "./worker/zip.ts";

const saveBlob = vi.spyOn(files, "saveBlob");
vi.stubGlobal("Blob", WholeBlob);

const service = mockServicePerTest();
const core = { as: { known: { named: null, tried: {} } } };
const row = (name: string | RegExp) => screen.findByRole("row", { name });
const names = () =>
  screen
    .queryAllByRole("row")
    .slice(1)
    .map((one) => within(one).getAllByRole("link")[0]?.textContent);

const file = (id: string, part: Partial<Artifact> = {}) =>
  anArtifact({ id, filename: `${id}.csv`, agent_id: "agent_clerk", ...part });

beforeEach(() => {
  service().override(listSessions, { sessions: [], next_cursor: null });
  saveBlob.mockReset().mockImplementation(() => {});
});

describe("the list of artifacts", () => {
  it("names each file with its type, size, agent and conversation, and says that these are all", async () => {
    service().state.artifacts = [
      file("rates", { metadata: { media_type: "text/csv", size: 412_800 } }),
      file("scan", { filename: "scan_0146b", metadata: {}, creator: null, session_id: null }),
    ];
    renderConsole("/artifacts");
    const rates = within(await row(/rates\.csv/));
    expect(rates.getByText("table")).toBeInTheDocument();
    expect(rates.getByText("412.8 kB")).toBeInTheDocument();
    await rates.findByText("Clerk");
    expect(rates.getByRole("link", { name: "with Clerk" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/conversations/int_1",
    );
    expect(within(await row(/scan_0146b/)).getAllByText("unknown")).toHaveLength(4);
    expect(screen.getByText("Showing all 2 artifacts")).toBeInTheDocument();
  });

  it("calls a conversation by its agent where no name of it was told, however many agents there are", async () => {
    const agents = Array.from({ length: 10 }, (_, at) => anAgent({ id: `agent_${at}`, name: `Clerk ${at}` }));
    service().state.agents = agents;
    service().state.artifacts = agents.map(({ id }) =>
      file(`of_${id}`, { agent_id: id, session_id: `int_${id}` }),
    );
    renderConsole("/artifacts");
    const last = within(await row(/of_agent_9\.csv/));
    expect(await last.findByRole("link", { name: "with Clerk 9" })).toBeInTheDocument();
    expect(
      new Set(
        service()
          .seen(listSessions)
          .map(({ url }) => url.pathname),
      ).size,
    ).toBe(8);
  });

  it("tells conversations apart that are called alike, where one is picked", async () => {
    service().state.artifacts = [file("first"), file("second", { session_id: "int_2" })];
    const { user } = renderConsole("/artifacts");
    await within(await row(/first\.csv/)).findByRole("link", { name: "with Clerk" });
    await user.click(screen.getByRole("button", { name: /^Conversation/ }));
    await screen.findByRole("menuitemradio", { name: "with Clerk (int_1)" });
    await screen.findByRole("menuitemradio", { name: "with Clerk (int_2)" });
  });

  it("keeps every filter, the order and the view in the address, and asks the service for what it can filter", async () => {
    serveFiles(service(), { abc: "lane,eur\n" });
    service().state.artifacts = [file("rates"), file("notes", { filename: "notes.md", metadata: {} })];
    const { user, router } = renderConsole("/artifacts");
    await row(/rates\.csv/);
    await user.type(screen.getByRole("searchbox", { name: "Search file names" }), "rates");
    await waitFor(() => expect(router.state.location.search).toMatchObject({ q: "rates" }));
    await waitFor(() => expect(screen.queryByRole("row", { name: /notes\.md/ })).toBeNull());
    expect(service().seen(listArtifacts).at(-1)?.url.searchParams.get("search_query")).toBe("rates");
    await user.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Name, A–Z");
    await waitFor(() => expect(router.state.location.search).toEqual({ q: "rates", sort: "name_asc" }));
    await user.click(screen.getByRole("radio", { name: "Grid" }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ view: "grid" }));
    await user.click(screen.getByRole("link", { name: "Mine" }));
    await waitFor(() =>
      expect(service().seen(listArtifacts).at(-1)?.url.searchParams.get("creator")).toBe("user_ada"),
    );
  });

  it("says how many were read, that there are more, and which filter looks only at what was read", async () => {
    service().override(listArtifacts, ({ query }) =>
      query.cursor === "next"
        ? { artifacts: [file("third", { filename: "third.pdf", metadata: {} })], next_cursor: null }
        : {
            artifacts: [file("first"), file("second", { filename: "second.md", metadata: {} })],
            next_cursor: "next",
          },
    );
    const { user } = renderConsole("/artifacts?type=PDF");
    await screen.findByText("No matching artifacts");
    expect(screen.getByText(/2 artifacts loaded so far, 0 matching/)).toBeInTheDocument();
    const foot = within(screen.getByRole("contentinfo"));
    expect(foot.getByText(/Type filters only the loaded artifacts/)).toBeInTheDocument();
    await user.click(foot.getByRole("button", { name: "Load 100 more" }));
    await row(/third\.pdf/);
    expect(screen.getByText("3 artifacts, 1 matching")).toBeInTheDocument();
  });

  it("keeps the pages that were read while a file is looked at, and comes back to the row", async () => {
    service().override(listArtifacts, ({ query }) =>
      query.cursor === "next"
        ? { artifacts: [file("second")], next_cursor: null }
        : { artifacts: [file("first")], next_cursor: "next" },
    );
    const { user, router } = renderConsole("/artifacts?artifact=second");
    await row(/first\.csv/);
    await user.click(screen.getByRole("button", { name: "Load 100 more" }));
    await row(/second\.csv/);
    await router.navigate({ to: "/agents" });
    await screen.findByRole("heading", { name: "Agents" });
    await router.navigate({ to: "/artifacts", search: { artifact: "second" } });
    expect(await row(/second\.csv/)).toHaveAttribute("data-selected", "true");
    expect(names()).toEqual(["first.csv", "second.csv"]);
  });

  it("folds versions under their file: those that a list names, and those that are rows of their own", async () => {
    const version = (number: number, size: number) => ({
      version_id: `ver_${number}`,
      major_version: number,
      created_at: "2026-11-20T08:15:00Z",
      size,
    });
    service().state.artifacts = [
      file("rates", {
        version_id: "ver_2",
        major_version: 2,
        metadata: { media_type: "text/csv", size: 1_700, versions: [version(2, 1_700), version(1, 1_000)] },
      }),
      file("other", { version_id: "b", major_version: 2 }),
      file("other", { version_id: "a", major_version: 1 }),
    ];
    const { user } = renderConsole("/artifacts");
    await row(/other\.csv/);
    expect(names()).toEqual(["rates.csv", "other.csv"]);
    await user.click(screen.getByRole("button", { name: "2 versions of rates.csv" }));
    expect(within(await row(/^Version 2/)).getByText("700 B larger")).toBeInTheDocument();
    const compare = within(await row(/^Version 2/)).getByRole("link", { name: "Compare with 1" });
    expect(compare).toHaveAttribute("href", "/artifacts/rates?agent=agent_clerk&tab=changes");
    expect(within(await row(/^Version 1/)).getByText("first")).toBeInTheDocument();
  });

  it("shows a new version of a file also where the service names no versions", async () => {
    serveFiles(service(), { one: "lane,eur\nNL-DE,1\n", two: "lane,eur\nNL-PL,2\n" });
    const list = (number: number, signature: string) => {
      const { version_id: _, ...row } = file("a", { major_version: number, url: fileUrl(signature) });
      service().override(listArtifacts, anyJson({ artifacts: [row], next_cursor: null }));
    };
    list(1, "one");
    const { wheelhouse } = renderConsole("/artifacts?view=grid");
    await screen.findByText("NL-DE");
    list(2, "two");
    const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] === listArtifacts.name;
    await wheelhouse.queries.invalidateQueries({ predicate: isList });
    await screen.findByText("NL-PL");
  });

  it("downloads what is picked as one zip, with a folder for each conversation, and tells what could not be had", async () => {
    service().state.artifacts = [
      file("a"),
      file("b"),
      file("c", { session_id: "int_2" }),
      file("d", { session_id: "int_3" }),
      file("e", { session_id: null }),
    ];
    service().override(downloadFiles, ({ body }) =>
      body.run_id === "int_3"
        ? new Refusal("personal_credential_required")
        : new Response(new Uint8Array(storedZip(body.file_names.map((name) => ({ name, text: name }))))),
    );
    const { user } = renderConsole("/artifacts");
    await row(/a\.csv/);
    expect(screen.getByRole("checkbox", { name: "Select e.csv" })).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getByRole("checkbox", { name: "Select all" }));
    const bar = within(screen.getByRole("region", { name: "Selected artifacts" }));
    expect(bar.getByText("4 selected")).toBeInTheDocument();
    expect(bar.getByText(/3 folders, one per conversation/)).toBeInTheDocument();
    await user.click(bar.getByRole("button", { name: "Download as zip" }));
    await waitFor(() => expect(saveBlob).toHaveBeenCalledTimes(1));
    const [zip] = saveBlob.mock.calls[0] ?? [];
    if (!zip) throw new Error("nothing was saved");
    const entries = await readZip(zip);
    expect(entries.map(({ name }) => name)).toEqual(["int_1/a.csv", "int_1/b.csv", "int_2/c.csv"]);
    await screen.findByText("3 of 4 files are in the zip");
    expect(service().seen(downloadFiles)).toHaveLength(3);
  });

  it("shows the beginning of the thing itself in the grid, asked with a range and only from its own service", async () => {
    const files = serveFiles(service(), { a: "lane,eur\nNL-DE,1708.21\n" });
    service().state.artifacts = [
      file("a", { url: fileUrl("a") }),
      file("b", { url: "https://elsewhere.example.test/b" }),
      file("c", { url: "javascript:alert(1)" }),
    ];
    renderConsole("/artifacts?view=grid");
    await screen.findByText("NL-DE");
    expect(screen.getByText("Stored elsewhere")).toBeInTheDocument();
    expect(screen.getByText("Invalid address")).toBeInTheDocument();
    expect(files.asked).toEqual(["a"]);
  });

  it("C-08: shows what cannot be seen in a name as marks", async () => {
    service().state.artifacts = [file("x", { filename: "holiday-\u202Egpj.exe" })];
    renderConsole("/artifacts");
    await row(/holiday-⟨U\+202E⟩gpj\.exe/);
  });

  it("C-01: keeps the list where rows are damaged, and says so", async () => {
    service().override(
      listArtifacts,
      anyJson({
        artifacts: [
          null,
          { id: "bare" },
          { id: "odd", filename: 7, metadata: "no", created_at: "yesterday", creator: [] },
          { filename: "without an id" },
        ],
        next_cursor: 5,
      }),
    );
    renderConsole("/artifacts");
    await row(/bare/);
    await row(/odd.*yesterday/);
    expect(await screen.findByText(/values have an unexpected format/)).toBeInTheDocument();
  });

  it("has the shape of what comes while it is read", async () => {
    service().override(listArtifacts, never);
    renderConsole("/artifacts");
    await screen.findByText("Loading artifacts");
  });

  it("says why there are none, with a line that makes one", async () => {
    renderConsole("/artifacts");
    await screen.findByText("No artifacts yet");
    expect(screen.getByText(/curl -X POST .*start_agent.*\$WHEELHOUSE_KEY/)).toBeInTheDocument();
  });

  it.each([
    ["there is none that could be talked to yet", [], "editor"],
    ["the person may only look at all there are", [anAgent({ team_id: "team_harbor" })], "viewer"],
  ] as const)("offers no conversation with an agent where %s", async (_what, agents, inHarbor) => {
    service().state.agents = [...agents];
    withAdmin(service(), { inHarbor });
    const named = ["admin", "artifacts"] as const;
    service().state.capabilities = [...named];
    renderConsole("/artifacts", { as: { known: { named: [...named], tried: {} } } });
    await screen.findByText("No artifacts yet");
    expect(await screen.findByText(/You have no agent to ask for one yet/)).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Talk to an agent" })).toBeNull();
    expect(screen.queryByText(/start_agent/)).toBeNull();
    expect(screen.queryByRole("link", { name: "New agent" })).toBeNull();
  });

  it("offers to make the first agent where there is none", async () => {
    service().state.agents = [];
    renderConsole("/artifacts");
    expect(await screen.findByRole("link", { name: "New agent" })).toHaveAttribute("href", "/agents/new");
    expect(screen.queryByRole("link", { name: "Talk to an agent" })).toBeNull();
  });

  it("says what failed, and reads again by the button", async () => {
    service().state.artifacts = [file("a")];
    service().override(listArtifacts, new Response("", { status: 502 }), { times: 1 });
    const { user } = renderConsole("/artifacts");
    await user.click(await screen.findByRole("button", { name: "Retry" }));
    await row(/a\.csv/);
  });

  it("says that the key may not see them", async () => {
    service().override(listArtifacts, new Refusal("forbidden"));
    renderConsole("/artifacts");
    await screen.findByText("The artifacts: no access with this key");
  });

  it("with the core alone asks whose artifacts, and lists those of the agent", async () => {
    service().state.agents = [anAgent()];
    service().state.artifacts = [file("a"), file("b", { agent_id: "agent_other" })];
    const { user } = renderConsole("/artifacts", core);
    await user.click(await screen.findByRole("link", { name: /Clerk/ }));
    await row(/a\.csv/);
    expect(screen.queryByRole("row", { name: /b\.csv/ })).toBeNull();
    expect(service().seen(listAgentArtifacts)).not.toHaveLength(0);
    expect(service().seen(listArtifacts)).toHaveLength(0);
    expect(screen.getByText(/Type, creator and time filter only the loaded artifacts/)).toBeInTheDocument();
  });

  it("lists an agent's own in a tab of its page", async () => {
    service().state.artifacts = [file("a")];
    const { user, router } = renderConsole("/agents/agent_clerk");
    const tabs = within(await screen.findByRole("navigation", { name: "Agent pages" }));
    await user.click(tabs.getByRole("link", { name: "Artifacts" }));
    await row(/a\.csv/);
    expect(router.state.location.search).toEqual({ tab: "artifacts" });
  });

  it("moves through the rows by j and k, and opens the one it is at by Enter", async () => {
    serveFiles(service(), { abc: "lane,eur\n" });
    service().state.artifacts = [file("a"), file("b")];
    const { user, router } = renderConsole("/artifacts");
    await row(/a\.csv/);
    await user.keyboard("jj");
    await waitFor(() => expect(router.state.location.search).toEqual({ artifact: "b" }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/artifacts/b"));
  });
});
