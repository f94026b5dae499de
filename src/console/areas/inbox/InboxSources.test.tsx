import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getInboxItem, type InboxItem } from "../../../contract/inbox.ts";
import {
  approveSource,
  type BrainSource,
  getSource,
  getSourceEstimate,
  listSources,
} from "../../../contract/knowledge.ts";
import {
  ada,
  aFlowQuestion,
  answered,
  aWaitingCall,
  aWaitingSource,
  mailTool,
  withQuestions,
} from "../../../testing/inbox.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore } from "../../../testing/test-wheelhouse.ts";

const service = mockServicePerTest();
const region = async (name: string) => within(await screen.findByRole("region", { name }));
const button = (name: string) => screen.findByRole("button", { name });

describe("a knowledge source that waits for its approval", () => {
  const aSource = (part: Partial<BrainSource> = {}): BrainSource => ({
    ...{ id: "source_law", name: "Case law", source_type: "direct_file_uploads", status: "draft" },
    ...{ scope: "team", team_id: "team_harbor", created_by_user_id: "user_ada" },
    ...{ created_at: "2026-11-20T08:00:00Z", estimated_credits: 38.4, charged_credits: 0, document_count: 3 },
    ...part,
  });
  /** Approving turns the draft active, as the service does. */
  const withSources = (questions: Map<string, InboxItem>, ...sources: BrainSource[]) => {
    const one = (id: string) => sources.find((source) => source.id === id) ?? aSource();
    service().override(listSources, () => ({ sources, next_cursor: null }));
    for (const source of sources) questions.set(source.id, aWaitingSource(source));
    service().override(getSource, ({ params }) => ({ source: { ...one(params.source_id), files: [] } }));
    service().override(getSourceEstimate, ({ params }) => ({
      ...{ source_id: params.source_id, status: "draft", estimate: null },
    }));
    service().override(approveSource, ({ params }) => {
      const source = one(params.source_id);
      Object.assign(source, { status: "active", approved_by: ada, approved_at: "2026-11-20T10:05:00Z" });
      questions.set(source.id, aWaitingSource(source));
      return { source };
    });
  };

  it("is a row among the questions by its age, with what it costs, and is approved there", async () => {
    withSources(
      withQuestions(service(), aWaitingCall({ asked_at: "2026-11-20T09:00:00Z" })),
      aSource({ id: "source_late", name: "Late", created_at: "2026-11-20T09:30:00Z" }),
      aSource(),
      aSource({ id: "source_bob", name: "Of Bob", scope: "personal", created_by_user_id: "user_bob" }),
    );
    const { user, router } = renderConsole("/inbox");
    const mine = await region("Waiting for you");
    await waitFor(() =>
      expect(mine.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
        ...["Case law", "send", "Late"],
      ]),
    );
    expect(mine.getAllByText("38.4 credits")).toHaveLength(2);
    expect((await region("Waiting for others")).getByText("Of Bob")).toBeInTheDocument();
    expect(document.title).toContain("3 wait for you");
    await user.keyboard("j");
    await waitFor(() => expect(router.state.location.pathname).toBe("/inbox/source_law"));
    const approve = await button("Approve for 38.4 credits");
    expect((await region("After approval")).getByText(/This can’t be undone/)).toBeInTheDocument();
    await user.keyboard("a");
    expect(approve).toHaveFocus();
    expect(service().seen(approveSource)).toHaveLength(0);
    await user.keyboard("{Enter}");
    const list = await region("Waiting for you");
    await waitFor(() => expect(list.queryByText("Case law")).toBeNull());
    expect(service().seen(approveSource)).toHaveLength(1);
    await waitFor(() => expect(screen.getByRole("heading", { name: "Case law" })).toHaveFocus());
    await user.click(screen.getByRole("link", { name: "Answered" }));
    await screen.findByText("Knowledge source, approved by you after 2 h 05 m");
  });

  it("is refused by deleting it, which is asked first", async () => {
    withSources(withQuestions(service()), aSource());
    const { user } = renderConsole("/inbox/source_law?kind=source");
    await button("Refuse…");
    await user.keyboard("r");
    expect(await screen.findByRole("dialog")).toHaveTextContent(
      "Nothing is charged. Pending approval is cancelled.",
    );
  });

  it("is not among what waits while it is put off", async () => {
    withSources(withQuestions(service(), aWaitingCall()), aSource());
    const { user } = renderConsole("/inbox/source_law?kind=source");
    const list = await region("Waiting for you");
    await list.findByText("Case law");
    await user.click(await button("Snooze"));
    await user.click(await screen.findByRole("menuitem", { name: /tomorrow/i }));
    await waitFor(() => expect(list.queryByText("Case law")).toBeNull());
    expect(list.getByText("send")).toBeInTheDocument();
  });

  it("C-48: leaves the keyboard at its foot when it is put off, and when it is taken back", async () => {
    withSources(withQuestions(service()), aSource());
    const { user } = renderConsole("/inbox/source_law?kind=source");
    (await button("Snooze")).focus();
    await user.keyboard("{Enter}");
    await user.click(await screen.findByRole("menuitem", { name: /tomorrow/i }));
    const back = await button("Unsnooze");
    await waitFor(() => expect(back.closest("footer")).toHaveFocus());
    back.focus();
    await user.keyboard("{Enter}");
    const again = await button("Snooze");
    await waitFor(() => expect(again.closest("footer")).toHaveFocus());
  });
});

it("a refusal or an edit that is taken back leaves the keyboard at the button that began it", async () => {
  withQuestions(service(), aWaitingCall());
  const { user } = renderConsole("/inbox/ask_mail");
  await user.click(await button("Refuse…"));
  await waitFor(() => expect(screen.getByRole("textbox", { name: /Reason/ })).toHaveFocus());
  await user.click(await button("Back"));
  await waitFor(() => expect(screen.getByRole("button", { name: "Refuse…" })).toHaveFocus());
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("textbox", { name: /Reason/ })).toHaveFocus());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Refuse…" })).toHaveFocus());
});

it("a question that is answered leaves the keyboard at it", async () => {
  withQuestions(service(), aWaitingCall());
  const { user } = renderConsole("/inbox/ask_mail");
  (await button("Approve")).focus();
  await user.keyboard("{Enter}");
  await screen.findByText("Nothing waits for an answer");
  expect(screen.getByRole("region", { name: "The question" })).toHaveFocus();
});

it("a question that someone else was first to answer leaves the keyboard at it", async () => {
  const all = withQuestions(service(), aWaitingCall());
  const { user } = renderConsole("/inbox/ask_mail");
  (await button("Approve")).focus();
  all.set("ask_mail", answered(aWaitingCall()));
  await user.keyboard("{Enter}");
  await screen.findByText("Approved by", { exact: false });
  await waitFor(() => expect(screen.getByRole("region", { name: "The question" })).toHaveFocus());
});

it("C-29: a form that someone else answers is not taken away from whoever types in it", async () => {
  const all = withQuestions(service(), aFlowQuestion());
  const { user, router, wheelhouse } = renderConsole("/inbox/ask_berth");
  await user.type(await screen.findByRole("textbox", { name: "Nights" }), "1");
  all.set("ask_berth", answered(aFlowQuestion()));
  await wheelhouse.queries.invalidateQueries();
  await screen.findByText("What you typed was not sent");
  await user.keyboard("2g a");
  expect(screen.getByRole("textbox", { name: "Nights" })).toHaveValue("12g a");
  expect(router.state.location.pathname).toBe("/inbox/ask_berth");
  // Once it is left, it goes.
  await user.click(screen.getByText("What you typed was not sent"));
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Nights" })).toBeNull());
  expect(screen.getByText("12g a")).toBeInTheDocument();
});

it("what was typed and not sent is listed by its fields, as they name themselves and their choices", async () => {
  const question = aFlowQuestion();
  const all = withQuestions(service(), question);
  const { user, wheelhouse } = renderConsole("/inbox/ask_berth");
  await user.type(await screen.findByRole("textbox", { name: "Nights" }), "3");
  await user.selectOptions(screen.getByRole("combobox", { name: /Berth/ }), "North");
  await user.click(await button("Refuse…"));
  await user.type(screen.getByRole("textbox", { name: /Reason/ }), "No room");
  all.set("ask_berth", answered(question));
  await wheelhouse.queries.invalidateQueries();
  await user.click(await screen.findByText("What you typed was not sent"));
  const textsOf = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);
  expect(textsOf("term")).toEqual(["Reason", "Nights", "Berth"]);
  expect(textsOf("definition")).toEqual(["No room", "3", "North"]);
});

it("a question that is answered keeps its name in the title of the page", async () => {
  withQuestions(service(), aWaitingCall());
  const { user } = renderConsole("/inbox/ask_mail");
  await user.click(await button("Approve"));
  await screen.findByText("Nothing waits for an answer");
  await waitFor(() => expect(document.title).toBe("send · Wheelhouse"));
});

it("what waits can be read by what is at stake, which stands in the address and in each row", async () => {
  withQuestions(
    service(),
    aWaitingCall({ id: "ask_old", title: "old", tokens: 820, asked_at: "2026-11-20T08:00:00Z" }),
    aWaitingCall({ id: "ask_dear", tokens: 38_420, tool: { ...mailTool, name: "dear" } }),
  );
  const { user, router } = renderConsole("/inbox");
  const mine = await region("Waiting for you");
  const titles = () => mine.getAllByRole("link").map(({ textContent }) => textContent);
  await waitFor(() => expect(titles()).toEqual(["send", "dear"]));
  await user.click(screen.getByRole("radio", { name: "Most at stake first" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ order: "dearest" }));
  await waitFor(async () =>
    expect(
      (await region("Waiting for you")).getAllByRole("link").map(({ textContent }) => textContent),
    ).toEqual(["dear", "send"]),
  );
  expect((await region("Waiting for you")).getByText("38.4k tokens")).toBeInTheDocument();
  await user.keyboard("j");
  await waitFor(() => expect(router.state.location.pathname).toBe("/inbox/ask_dear"));
  expect(router.state.location.search).toEqual({ order: "dearest" });
  await screen.findByText("38.4k tokens used so far");
});

it.each([
  ["not_found", "Question not found, or you have no access"],
  ["forbidden", "The question: no access with this key"],
] as const)("C-22: what was typed for a question that can be read no more stays: %s", async (code, words) => {
  withQuestions(service(), aFlowQuestion());
  const store = memoryStore();
  const { user, unmount } = renderConsole("/inbox/ask_berth", { browser: { store } });
  await user.type(await screen.findByRole("textbox", { name: "Nights" }), "3");
  service().override(getInboxItem, new Refusal(code));
  unmount();
  renderConsole("/inbox/ask_berth", { browser: { store } });
  await screen.findByText(words);
  await screen.findByText("What you typed was not sent");
  expect(screen.getByRole("definition")).toHaveTextContent("3");
});

it("a question that can be read no more leaves the keyboard at it, and so does what is discarded of it", async () => {
  withQuestions(service(), aFlowQuestion());
  const { user, wheelhouse } = renderConsole("/inbox/ask_berth");
  await user.type(await screen.findByRole("textbox", { name: "Nights" }), "3");
  service().override(getInboxItem, new Refusal("not_found"));
  await wheelhouse.queries.invalidateQueries();
  await screen.findByText("Question not found, or you have no access");
  const place = screen.getByRole("region", { name: "The question" });
  await waitFor(() => expect(place).toHaveFocus());
  (await button("Discard")).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByText("What you typed was not sent")).toBeNull());
  await waitFor(() => expect(place).toHaveFocus());
});
