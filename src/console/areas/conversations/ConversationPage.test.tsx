import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { agentStatus, startAgent } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { aCall, anAnswer, aQuestion, aSession, aStatus } from "../../../testing/conversations.ts";
import { tagLike } from "../../../testing/hostile/payloads.ts";
import { anyJson, never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const address = "/agents/agent_clerk/conversations/int_1";
const core = { as: { known: { named: null, tried: { live_messages: false, sessions: false } } } };
const messages = async () => within(await screen.findByRole("region", { name: "Messages" }));
const field = () => screen.findByRole("textbox", { name: "Message Clerk" });

describe("a conversation", () => {
  it("shows who said what, the index of its questions, and its state in the tab", async () => {
    service().override(getSession, aSession());
    renderConsole(address);
    await (await messages()).findByText("N4 and N9.");
    expect((await messages()).getByText("You")).toBeInTheDocument();
    expect((await messages()).getByText("Clerk")).toBeInTheDocument();
    const turns = within(screen.getByRole("navigation", { name: "Turns" }));
    expect(turns.getByRole("button", { name: /Which berths/ })).toHaveAttribute("aria-current");
    await waitFor(() => expect(document.title).toBe("done · Which berths are free? · Wheelhouse"));
  });

  it("shows what looks like tags as the text that it is, in what was asked and in what was answered", async () => {
    const said = [aQuestion("What is Promise<string>?"), anAnswer(tagLike.text)];
    service().override(getSession, aSession({ messages: said }));
    renderConsole(address);
    await (await messages()).findByText("Promise<string>");
    const shown = screen.getByRole("region", { name: "Messages" });
    for (const seen of ["What is Promise<string>?", ...tagLike.seen])
      expect(shown.textContent).toContain(seen);
  });

  it("begins a search that came with a link at the part of the link, and opens what the hit is in", async () => {
    const call = aCall("harbor__berths", "completed", {}, { free: ["berth N4"] });
    const asked = [aQuestion("Which berths?"), anAnswer([call], { id: "m2" }), aQuestion("More berths?")];
    service().override(getSession, aSession({ messages: asked }));
    renderConsole(`${address}?part=m2.call+harbor__berths&q=berth`);
    await screen.findByText("2 of 3");
    const card = within((await messages()).getByRole("article", { name: "Tool call berths" }));
    expect(card.getByRole("button", { name: /Result/ })).toHaveAttribute("aria-expanded", "true");
  });

  it("names who began somebody else's conversation, and nobody for what came after", async () => {
    const creator = { id: "user_grace", first_name: "Grace", last_name: null, email: null };
    service().override(
      getSession,
      aSession({ creator, messages: [aQuestion("One"), anAnswer("Two"), aQuestion("Three")] }),
    );
    renderConsole(address);
    await (await messages()).findByText("Grace");
    expect((await messages()).getByText("A person")).toBeInTheDocument();
    expect((await messages()).queryByText("You")).toBeNull();
  });

  it("shows messages while the agent works, with the running call on one line", async () => {
    service().override(
      getSession,
      aSession({
        state: "processing",
        messages: [
          aQuestion("Look"),
          anAnswer([
            { type: "text", text: "I look." },
            aCall("almanac__day", "running", { date: "x" }, null),
          ]),
        ],
      }),
    );
    renderConsole(address);
    await (await messages()).findByText("I look.");
    const call = within((await messages()).getByRole("article", { name: "Tool call day" }));
    expect(call.getByText("almanac")).toBeInTheDocument();
    expect(call.queryByRole("button", { name: /Arguments/ })).toBeNull();
    expect(screen.getAllByText("Running").length).toBeGreaterThan(0);
    expect(screen.getByRole("button", { name: "Queue message" })).toBeInTheDocument();
  });

  it("says how long the agent works where the service shows nothing before the end, and keeps what was said before", async () => {
    // From the moment when it was asked, whenever that is polled.
    const working = aStatus({ state: "ASYNC_PROCESSING", messages: null, response: null });
    service().override(agentStatus, () => (service().seen(startAgent).length > 0 ? working : aStatus()));
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole(address, core);
    await (await messages()).findByText("N4 and N9.");
    await user.type(await field(), "And now?{Enter}");
    expect(await (await messages()).findByText(/Running for/)).toHaveTextContent(/Running for \d+ s/);
    expect((await messages()).getByText(/when the turn ends/)).toBeInTheDocument();
    expect((await messages()).getByText("And now?")).toBeInTheDocument();
    expect((await messages()).getByText("N4 and N9.")).toBeInTheDocument();
  });

  it("opens the arguments of a done call, folds its result, and puts the error of a failed one first", async () => {
    const parts = [
      aCall("look", "completed", { quay: "north" }, { free: ["N4", "N9"] }),
      aCall("draw", "failed", { size: 3 }, { error: "The pen is broken" }),
    ];
    service().override(getSession, aSession({ messages: [aQuestion("Look"), anAnswer(parts)] }));
    const { user } = renderConsole(address);
    const done = within(await (await messages()).findByRole("article", { name: "Tool call look" }));
    expect(done.getByRole("button", { name: /^Arguments/ })).toHaveAttribute("aria-expanded", "true");
    expect(done.getByText('"north"')).toBeInTheDocument();
    expect(done.queryByText('"N4"')).toBeNull();
    await user.click(done.getByRole("button", { name: /^Result/ }));
    expect(done.getByText('"N4"')).toBeInTheDocument();
    const failed = within((await messages()).getByRole("article", { name: "Tool call draw" }));
    expect(failed.getByText("The pen is broken")).toBeInTheDocument();
    expect(failed.getByRole("button", { name: /^Arguments/ })).toHaveAttribute("aria-expanded", "false");
  });

  it("shows why a turn failed, in the service's words, and lets the person go on", async () => {
    service().override(getSession, aSession({ state: "failed" }));
    service().override(agentStatus, aStatus({ state: "FAILED", error_message: "The model did not answer." }));
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole(address);
    await screen.findByText("The model did not answer.");
    expect(screen.getByRole("alert")).toHaveTextContent("Send another message to continue");
    await user.type(await field(), "Try again");
    const send = screen.getByRole("button", { name: "Send" });
    // Two clicks faster than the page can be drawn again (C-38).
    act(() => {
      send.click();
      send.click();
    });
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toEqual({
      gummie_id: "agent_clerk",
      message: "Try again",
      user_id: "user_ada",
      interaction_id: "int_1",
    });
    expect(service().seen(startAgent)[0]?.headers.get("idempotency-key")).toBeTruthy();
    await waitFor(async () => expect(await field()).toHaveValue(""));
  });

  it.each([
    ["one from elsewhere, by a person who acts for a team", "personal", "user_ada", "team_harbor", null, {}],
    [
      "one that was begun here for a team, by a person who acts for nobody now",
      ...(["personal", "user_ada", null, "team_harbor", { project_id: "team_harbor" }] as const),
    ],
    ["one from elsewhere, by a team key for a member", "team", "user_ada", "team_harbor", null, {}],
    [
      "one from elsewhere, by a team key for nobody, which must name its team",
      ...(["team", null, "team_harbor", null, { project_id: "team_harbor" }] as const),
    ],
  ] as const)("leaves whose a conversation is to the service: %s", async (...row) => {
    const [, kind, userId, teamId, begunFor, named] = row;
    service().override(getSession, aSession());
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const credential = { kind, userId, teamId, secret: "test-key-of-ada-0123456789" };
    const { user, wheelhouse } = renderConsole(address, { as: { credential } });
    const begun = {
      agentId: "agent_clerk",
      agentName: "Clerk",
      projectId: begunFor,
      message: "Which berths?",
    };
    if (begunFor !== null) {
      await act(async () => {
        await wheelhouse.api.get()?.conversations.begin({ id: "known", ...begun });
        await wheelhouse.api.get()?.conversations.started("known", "int_1");
      });
    }
    await user.type(await field(), "Go on{Enter}");
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toEqual({
      gummie_id: "agent_clerk",
      message: "Go on",
      interaction_id: "int_1",
      ...(userId === null ? {} : { user_id: userId }),
      ...named,
    });
  });

  it("C-23: keeps what was typed when the agent has begun another turn meanwhile", async () => {
    service().override(getSession, aSession());
    service().override(startAgent, new Refusal("interaction_not_in_terminal_state"));
    const { user } = renderConsole(address);
    await user.type(await field(), "One more thing{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("already started another turn");
    expect(await field()).toHaveValue("One more thing");
  });

  it("queues a message while the agent works, lets it be edited, and sends it once when the turn ends", async () => {
    service().override(getSession, aSession({ state: "processing" }));
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole(address);
    await user.type(await field(), "Then this{Enter}");
    const waiting = within(await screen.findByRole("list", { name: "Queued messages" }));
    expect(waiting.getByText("sends when the turn ends")).toBeInTheDocument();
    await user.click(waiting.getByRole("button", { name: "Edit" }));
    await waitFor(async () => expect(await field()).toHaveValue("Then this"));
    await user.type(await field(), " too{Enter}");
    expect(service().seen(startAgent)).toHaveLength(0);
    service().override(getSession, aSession());
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toMatchObject({ message: "Then this too" });
    await waitFor(() => expect(screen.queryByRole("list", { name: "Queued messages" })).toBeNull());
  });

  it("C-39: asks before something goes out that looks like a key", async () => {
    service().override(getSession, aSession());
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole(address);
    await user.type(await field(), "use sk-abcdefghijklmnopqrstuvwx{Enter}");
    await screen.findByText(/looks like an OpenAI key/);
    expect(service().seen(startAgent)).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "Send anyway" }));
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
  });

  it("says once what the service says of an answer, beside the answer and not in it", async () => {
    const cut = "The answer is cut off here: the model reached its own limit of tokens.";
    const left =
      "This is more than the model can read at once. Left out: the first 3 turns of the conversation.";
    const parts = [
      { type: "notice", id: "n1", code: "history_cut", notice: left },
      { type: "text", id: "t1", text: "Once upon a" },
      { type: "notice", id: "n2", code: "answer_cut", notice: cut },
    ];
    const content = `Once upon a\n\n[${cut}]`;
    service().override(
      getSession,
      aSession({ messages: [aQuestion("A story"), anAnswer(parts, { content })] }),
    );
    const { user } = renderConsole(address);
    const place = await messages();
    expect(await place.findByText(cut)).toHaveAttribute("role", "note");
    expect(place.getByText(left)).toHaveAttribute("role", "note");
    expect(place.getAllByText(/Once upon a/)).toHaveLength(1);
    expect(place.queryByText(/Unknown part type/)).toBeNull();
    await user.type(screen.getByRole("searchbox", { name: "Find in this conversation" }), "first 3 turns");
    await screen.findByText("1 of 1");
  });

  it("C-02: shows states, roles and parts that nobody knows as they came", async () => {
    service().override(
      getSession,
      aSession({
        state: "pondering",
        messages: [
          { id: "n", role: "narrator", timestamp: null, content: "Meanwhile", parts: [] },
          anAnswer([{ type: "hologram", beams: 12 }]),
        ],
      }),
    );
    renderConsole(address);
    await (await messages()).findByText("narrator");
    expect((await messages()).getByRole("article", { name: "A part of type hologram" })).toHaveTextContent(
      "12",
    );
    expect(screen.getAllByText("pondering").length).toBeGreaterThan(0);
  });

  it("C-04, C-06, C-14: makes no control, frame or picture of somebody else's words", async () => {
    const text = [
      "<form action=//evil.test><input name=key><button>Sign in</button></form>",
      "![spy](https://spy.test/p.png) [go](javascript:alert(1)) [bank.com](https://evil.test/x)",
      "<img src=https://spy.test/q.png onerror=alert(1)><iframe src=//e></iframe>",
      "- [x] done",
    ].join("\n\n");
    service().override(getSession, aSession({ messages: [aQuestion("Hi"), anAnswer(text)] }));
    renderConsole(address);
    const place = await screen.findByRole("region", { name: "Messages" });
    await within(place).findByText(/Image from spy.test, not loaded/);
    expect(place.querySelector("form, input, iframe, img, script, style, object, svg image")).toBeNull();
    const link = within(place).getByRole("link", { name: "bank.com" });
    expect(link).toHaveAttribute("rel", "noopener noreferrer");
    expect(link).toHaveAttribute("title", expect.stringContaining("evil.test"));
    expect(within(place).getByText(/links to evil.test/)).toBeInTheDocument();
    for (const one of place.querySelectorAll("a")) expect(one.href).toMatch(/^https?:/);
  });

  it("mounts at most 60 rows of 2,000 turns, in the messages and in the index", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => [
      aQuestion(`Question ${at + 1}`, { id: `q${at}` }),
      anAnswer(`Answer ${at + 1}`, { id: `a${at}` }),
    ]).flat();
    service().override(getSession, aSession({ messages: many }));
    renderConsole(address);
    const place = await screen.findByRole("region", { name: "Messages" });
    await waitFor(() => expect(within(place).getAllByRole("listitem").length).toBeGreaterThan(0));
    expect(within(place).getAllByRole("listitem").length).toBeLessThanOrEqual(60);
    expect(within(place).getAllByRole("listitem")[0]).toHaveAttribute("aria-setsize", "4000");
    expect(screen.getByText("2,000 turns")).toBeInTheDocument();
    const turns = within(screen.getByRole("navigation", { name: "Turns" }));
    expect(turns.getAllByRole("listitem").length).toBeLessThanOrEqual(60);
  });

  it("opens a long conversation at its end without drawing its beginning first", async () => {
    const drawn: number[] = [];
    const observer = new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue;
        for (const row of [node, ...node.querySelectorAll("*")]) {
          const place = row.getAttribute("aria-posinset");
          if (place !== null) drawn.push(Number(place));
        }
      }
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const turns = Array.from({ length: 100 }, (_, n) => [
      anAnswer(`Answer ${n}.`, { id: `a${n}` }),
      aQuestion(`Question ${n}`, { id: `q${n}` }),
    ]);
    service().override(getSession, aSession({ messages: turns.flat() }));
    renderConsole(address);
    await (await messages()).findByText("Question 99");
    observer.disconnect();
    expect(drawn.length).toBeLessThan(40);
    expect(Math.min(...drawn)).toBeGreaterThan(150);
  });

  it("finds words also in what is not on the page, and marks them", async () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      anAnswer(at === 7 ? "the needle" : "hay", { id: `a${at}` }),
    );
    service().override(getSession, aSession({ messages: [aQuestion("Look"), ...many] }));
    const { user } = renderConsole(address);
    await user.type(await screen.findByRole("searchbox", { name: "Find in this conversation" }), "needle");
    await screen.findByText("1 of 1");
  });

  it("names a part in its address, and marks the part that an address names", async () => {
    service().override(getSession, aSession());
    const { router, user } = renderConsole(address);
    const links = await (await messages()).findAllByRole("button", { name: "Copy link to this part" });
    await user.click(links[1] as HTMLElement);
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ part: expect.stringContaining("a ") }),
    );
  });

  it("keeps what is typed beyond this page", async () => {
    service().override(getSession, aSession());
    const { user, router, wheelhouse } = renderConsole(address);
    await user.type(await field(), "Half a thought");
    await router.navigate({ to: "/agents" });
    expect(wheelhouse.api.get()?.drafts.get("message int_1")).toBe("Half a thought");
    await router.navigate({
      to: "/agents/$agentId/conversations/$interactionId",
      params: { agentId: "agent_clerk", interactionId: "int_1" },
    });
    expect(await field()).toHaveValue("Half a thought");
  });

  it("has the shape of what comes while it is read", async () => {
    service().override(getSession, never);
    renderConsole(address);
    await screen.findByText("Loading the conversation");
  });

  it("says that there is none for this key, with ways on", async () => {
    service().override(getSession, new Refusal("not_found"));
    service().override(agentStatus, new Refusal("interaction_not_found"));
    renderConsole(address);
    await screen.findByText("Conversation not found, or you have no access");
    const page = within(screen.getByRole("main"));
    expect(page.getByRole("link", { name: "New conversation" })).toBeInTheDocument();
  });

  it("gives itself as a curl line without the key", async () => {
    service().override(getSession, aSession());
    const { user } = renderConsole(address);
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Copy as curl" }));
    await expect
      .poll(() => navigator.clipboard.readText())
      .toMatch(/^curl '.*agent_status\/int_1\?user_id=user_ada'.*\$WHEELHOUSE_KEY/);
  });

  it("C-13: says what came instead of an answer, with a way to try again", async () => {
    service().override(getSession, new Response("<html>Hello</html>", { status: 502 }));
    service().override(agentStatus, new Response("<html>Hello</html>", { status: 502 }));
    renderConsole(address);
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The conversation could not be loaded");
    expect(within(alert).getByRole("button", { name: "Retry" })).toBeInTheDocument();
  });

  it("C-01: shows what can be read of a damaged answer", async () => {
    const damaged = {
      session: { ...aSession().session, name: 7, messages: [aQuestion("Hi"), 9, anAnswer("Well.")] },
    };
    service().override(getSession, anyJson(damaged));
    renderConsole(address);
    await (await messages()).findByText("Well.");
    expect(screen.getByText(/values have an unexpected format/)).toBeInTheDocument();
  });
});
