import { describe, expect, it } from "vitest";
import { memoryStore, tabChannels } from "../../../../testing/test-wheelhouse.ts";
import { until } from "../../../../testing/until.ts";
import { Draft } from "../../../lib/drafts/draft.ts";
import { Drafts } from "../../../lib/history/drafts.ts";
import { type AgentDraft, blankDraft } from "./agent-draft.ts";
import {
  agentDraftName,
  agentDrafts,
  changedDraft,
  type Latest,
  type StoredAgentDraft,
} from "./draft-store.ts";

const latest: Latest = { draft: { ...blankDraft, name: "Clerk", system_prompt: "Be brief." }, version: 14 };

type Edit = Draft<StoredAgentDraft>;

/** One browser with several tabs: what they keep is shared, what they hold in memory is not. */
function aBrowser() {
  const store = memoryStore();
  const openChannel = tabChannels();
  const tab = () => {
    const drafts = new Drafts(store, "ada", openChannel());
    const page = new EventTarget();
    const edit = new Draft(drafts, agentDraftName("agent_clerk"), agentDrafts, page);
    return { drafts, edit, page, close: edit.open() };
  };
  return { tab };
}
const change = (edit: Edit, part: Partial<AgentDraft>, texts: Record<string, string | null> = {}) =>
  edit.change((before) => changedDraft(before, latest, part, texts, performance.now()));
const promptOf = (edit: Edit) => edit.state.get().draft?.mine.system_prompt;

describe("the draft of an agent", () => {
  it("is there again in a new page, with the version that it began on and what could not be read yet", async () => {
    const { tab } = aBrowser();
    const first = tab();
    change(first.edit, { system_prompt: "Be long." }, { resources: "[{" });
    first.close();
    const { edit } = tab();
    await until("the draft", () => promptOf(edit) === "Be long.");
    expect(edit.state.get().draft).toMatchObject({ baseVersion: 14, texts: { resources: "[{" } });
  });

  it("is kept after all when the browser's store was only slow", async () => {
    const { drafts, edit } = aBrowser().tab();
    drafts.trouble.set("failing");
    change(edit, { system_prompt: "Be long." });
    await until("it to be said", () => edit.state.get().keeping === "lost");
    drafts.trouble.set(null);
    await until("it to be kept", () => edit.state.get().keeping === "kept");
    expect(promptOf(edit)).toBe("Be long.");
  });

  it("is no draft any more once everything is as it was", () => {
    const { edit } = aBrowser().tab();
    change(edit, { name: "Clerk 2" });
    expect(edit.state.get().draft).not.toBeNull();
    change(edit, { name: "Clerk" });
    expect(edit.state.get().draft).toBeNull();
    change(edit, {}, { resources: "[" });
    expect(edit.state.get().draft).not.toBeNull();
    change(edit, {}, { resources: null });
    expect(edit.state.get().draft).toBeNull();
  });

  it("C-29: is the same in two tabs of one browser, as soon as typing rests", async () => {
    const { tab } = aBrowser();
    const [one, two] = [tab(), tab()];
    change(one.edit, { system_prompt: "From one." });
    await until("the other tab to show it", () => promptOf(two.edit) === "From one.");
    change(two.edit, { system_prompt: "From one and two." });
    await until("the first tab to show that", () => promptOf(one.edit) === "From one and two.");
    two.edit.discard();
    await until("both to have none", () => one.edit.state.get().draft === null);
  });

  it("C-29: takes what another tab kept when it comes to the front, but not over what is being typed here", async () => {
    const { tab } = aBrowser();
    const [one, two] = [tab(), tab()];
    one.close();
    change(one.edit, { system_prompt: "Kept elsewhere." });
    one.edit.open()();
    change(two.edit, { system_prompt: "Typed here." });
    two.page.dispatchEvent(new Event("focus"));
    expect(promptOf(two.edit)).toBe("Typed here.");
    await until("it to be kept", () => two.edit.state.get().keeping === "kept");
    expect(promptOf(two.edit)).toBe("Typed here.");
  });

  it("C-26: is not kept by a page that is left after the sign-out", async () => {
    const store = memoryStore();
    const drafts = new Drafts(store, "ada");
    const page = new EventTarget();
    const edit = new Draft(drafts, agentDraftName("agent_clerk"), agentDrafts, page);
    const close = edit.open();
    change(edit, { name: "Secret" });
    drafts.close();
    close();
    expect(await store.read("")).toEqual([]);
  });
});
