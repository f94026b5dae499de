import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getAgent, updateAgent } from "../../../../contract/agents.ts";
import { listMcpServers, listMcpTools } from "../../../../contract/mcp.ts";
import { listModels } from "../../../../contract/models.ts";
import { takeChanges, writeInto } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { deferred } from "../../../../testing/deferred.ts";
import { anyJson, never } from "../../../../testing/msw.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const address = "/agents/agent_clerk/settings";
const sent = () => within(screen.getByRole("region", { name: "Request preview" }));
const sections = () => within(screen.getByRole("navigation", { name: "Sections" }));
const bodies = () =>
  service()
    .seen(updateAgent)
    .map(({ body }) => body);

async function open(part: Parameters<typeof anAgent>[0] = {}, drops: string[] = [], prepare = () => {}) {
  service().state.agents = [anAgent({ version: 14, ...part })];
  takeChanges(service(), drops);
  prepare();
  const rendered = renderConsole(address);
  await screen.findByRole("textbox", { name: "Name" });
  return rendered;
}

describe("editing an agent", () => {
  it("marks what is edited in the list, at the field and beside it as it will be sent, and saves exactly that once", async () => {
    const { user } = await open();
    await writeInto("System prompt", "Be brief.\nBe kind.");
    const steps = screen.getByRole("textbox", { name: "Maximum steps" });
    await user.type(steps, "24");
    expect(sections().getByRole("link", { name: /System prompt 1 line/ })).toBeInTheDocument();
    expect(sections().getByRole("link", { name: /Preferences edited/ })).toBeInTheDocument();
    expect(screen.getByText("1 line edited")).toBeInTheDocument();
    expect(screen.getByText("2 fields edited.")).toBeInTheDocument();
    expect(sent().getByText("The 2 fields you changed")).toBeInTheDocument();
    expect(sent().getByText('"Be…"')).toBeInTheDocument();
    // Twice before the page could show that it saves (C-38).
    act(() => {
      for (const target of [document.body, document.body])
        target.dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true, bubbles: true }));
    });
    await screen.findByText("Saved as version 15.");
    expect(bodies()).toEqual([
      { version: 14, system_prompt: "Be brief.\nBe kind.", metadata: { preferences: { max_steps: 24 } } },
    ]);
    expect(screen.getByText("No changes")).toBeInTheDocument();
  });

  it("names the keys that the service dropped, with what was sent", async () => {
    const { user } = await open({ metadata: { odd: { kept: 1 } } }, ["odd.colour"]);
    await writeInto("Odd as JSON", '{"kept": 1, "colour": "teal"}');
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText(/The service did not save metadata\.odd\.colour/);
    await user.click(screen.getByText("What the service changed"));
    expect(screen.getByText("not saved")).toBeInTheDocument();
    expect(bodies()).toEqual([{ version: 14, metadata: { odd: { colour: "teal" } } }]);
  });

  it("is nothing to save once all is as it was, and says how old a draft is until it is discarded", async () => {
    const { user } = await open();
    const name = screen.getByRole("textbox", { name: "Name" });
    await user.type(name, "!");
    expect(screen.getByText(/Draft from on version 14/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByText(/saved on this device/)).toBeInTheDocument());
    await user.type(name, "{Backspace}");
    expect(screen.getByText("No changes")).toBeInTheDocument();
    await user.type(name, "?");
    await user.click(screen.getByRole("button", { name: "Discard draft" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Discard draft" }));
    expect(name).toHaveValue("Clerk");
  });

  it("says at which line JSON stops, keeps it as typed, and saves nothing until it is mended", async () => {
    const { user } = await open();
    await writeInto("Resources as JSON", '[{"id": "a",}]');
    expect(screen.getByText(/Line 1, column 13: trailing comma/)).toBeInTheDocument();
    expect(sections().getByRole("link", { name: /Resources not valid/ })).toBeInTheDocument();
    const save = screen.getByRole("button", { name: "Save as version 15" });
    expect(save).toHaveAccessibleDescription(/Fix the resources first/);
    await user.click(save);
    expect(bodies()).toEqual([]);
    await writeInto("Resources as JSON", '[{"id": "a"}]');
    await user.click(save);
    await screen.findByText("Saved as version 15.");
    expect(bodies()).toEqual([{ version: 14, resources: [{ id: "a" }] }]);
  });

  it("takes numbers only within their limits, and keeps what is typed until then", async () => {
    const { user } = await open();
    await user.type(screen.getByRole("textbox", { name: "Temperature" }), "7");
    expect(screen.getByText("A number from 0 to 2")).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Temperature" })).toHaveValue("7");
    expect(screen.getByRole("button", { name: "Save as version 15" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });

  it("C-39: warns of what looks like a key in the prompt, and saves it only when told so again", async () => {
    const { user } = await open();
    await writeInto("System prompt", "Use sk-ant-api03-abcdefghijklmnopqrst for it.");
    expect(screen.getByText(/This looks like an Anthropic key/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    expect(bodies()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Save anyway" }));
    await screen.findByText("Saved as version 15.");
    expect(bodies()).toHaveLength(1);
  });

  it("asks before leaving with something unsaved, and keeps the draft or throws it away", async () => {
    const { user, router } = await open();
    await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
    const artifacts = () =>
      within(screen.getByRole("navigation", { name: "Agent pages" })).getByRole("link", {
        name: "Artifacts",
      });
    await user.click(artifacts());
    const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
    await user.click(within(dialog).getByRole("button", { name: "Stay" }));
    expect(router.state.location.pathname).toBe(address);
    await user.click(artifacts());
    await user.click(await screen.findByRole("button", { name: "Leave and keep draft" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_clerk"));
    await user.click(screen.getByRole("link", { name: "Settings" }));
    expect(await screen.findByRole("textbox", { name: "Name" })).toHaveValue("Clerk 2");
  });

  it("leaves a person where they went while it was being saved", async () => {
    const { promise: answered, resolve: answer } = deferred();
    const { user, router, wheelhouse } = await open({}, [], () => takeChanges(service(), [], () => answered));
    await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await user.click(screen.getByRole("link", { name: "Runs" }));
    await user.click(await screen.findByRole("button", { name: "Leave and keep draft" }));
    await screen.findByRole("heading", { name: "Runs" });
    answer();
    // The save is done with the draft.
    await waitFor(() => expect(wheelhouse.api.get()?.drafts.names("agent")).toEqual([]));
    expect(router.state.location.pathname).toBe("/runs");
  });

  it("C-21: keeps what is edited when the key is refused in the middle of a save, and goes on after it", async () => {
    const { user, wheelhouse } = await open();
    await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
    service().override(updateAgent, new Refusal("invalid_credentials"), { times: 1 });
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByRole("dialog", { name: /no longer accepted/ });
    const state = wheelhouse.session.state.get();
    if (!("as" in state)) throw new Error("somebody is signed in");
    wheelhouse.session.renew({
      ...state.as,
      credential: { ...state.as.credential, secret: "another-key-0123456789" },
    });
    await screen.findByText("Saved as version 15.");
    expect(service().state.agents[0]?.name).toBe("Clerk 2");
  });
});

describe("the model", () => {
  const groups = (...options: { value: string; restricted?: boolean }[]) => ({
    model_groups: [
      { label: "All", options: options.map((one) => ({ label: one.value, restricted: false, ...one })) },
    ],
  });

  it("is chosen among those offered; restricted ones are there and cannot be", async () => {
    service().override(listModels, groups({ value: "a/one" }, { value: "a/two", restricted: true }));
    const { user } = await open({ model_name: "a/gone" });
    await screen.findByText(/No longer available/);
    await user.click(screen.getByRole("button", { name: "Model: a/gone" }));
    expect(screen.getByRole("menuitemradio", { name: /a\/two restricted/ })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    expect(screen.getByText(/often because of the plan/)).toBeInTheDocument();
    await user.click(screen.getByRole("menuitemradio", { name: "a/one" }));
    expect(screen.getByRole("button", { name: "Model: a/one" })).toBeInTheDocument();
  });

  it("can be saved when it is chosen after its name was half typed, before the list was there", async () => {
    const arrive = service().holdBack(listModels, groups({ value: "a/one" }, { value: "a/two" }));
    const { user } = await open({ model_name: "a/one" });
    await user.clear(await screen.findByRole("textbox", { name: "Model" }));
    await waitFor(() => expect(service().seen(listModels)).not.toEqual([]));
    arrive();
    await user.click(await screen.findByRole("button", { name: "Model: a/one" }));
    await user.click(screen.getByRole("menuitemradio", { name: "a/two" }));
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText("Saved as version 15.");
    expect(bodies()).toEqual([{ version: 14, model_name: "a/two" }]);
  });

  it("is typed where the service has no list of them", async () => {
    service().override(listModels, new Refusal("not_found"));
    const { user } = await open();
    const field = await screen.findByRole("textbox", { name: "Model" });
    await screen.findByText(/could not be loaded; type the name instead/);
    await user.clear(field);
    await user.type(field, "x/y");
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText("Saved as version 15.");
    expect(bodies()).toEqual([{ version: 14, model_name: "x/y" }]);
  });
});

describe("the tools", () => {
  const almanac = { type: "mcp_server", server_id: "almanac" };
  const odd = { type: "crystal_ball", depth: 3 };
  const tool = (name: string) => ({
    tool_call_id: `almanac__${name}`,
    name,
    description: null,
    input_schema: {},
  });

  it("are chosen one by one with approval, and kinds that nobody knows go back as they came", async () => {
    const { user } = await open({ tools: [almanac, odd] }, [], () =>
      service().override(listMcpTools, { tools: [tool("day"), tool("week")] }),
    );
    await user.click(screen.getByRole("button", { name: "almanac" }));
    await user.click(await screen.findByRole("radio", { name: "Selected tools" }));
    await user.click(await screen.findByRole("switch", { name: "week" }));
    await user.click(screen.getByRole("radio", { name: "Asks first" }));
    await user.click(screen.getByRole("button", { name: "crystal_ball" }));
    expect(screen.getByText(/It is kept unchanged/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText("Saved as version 15.");
    expect(bodies()).toEqual([
      {
        version: 14,
        tools: [{ ...almanac, allowed_tool_call_ids: ["almanac__day"], approval_mode: "all" }, odd],
      },
    ]);
  });

  it("are added from the servers and flows of the service, taken out and put back", async () => {
    const { user } = await open({ tools: [odd] });
    service().override(
      listMcpServers,
      anyJson({ servers: [{ server_id: "srv", name: "Drive", type: "mcp_server" }] }),
    );
    await waitFor(() => expect(service().seen(listMcpServers).length).toBeGreaterThan(0));
    await user.click(screen.getByRole("button", { name: "crystal_ball" }));
    await user.click(screen.getByRole("button", { name: "Remove crystal_ball" }));
    expect(screen.getByText("removed")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "crystal_ball" }));
    await user.click(screen.getByRole("button", { name: "Restore" }));
    expect(screen.getByText("No changes")).toBeInTheDocument();
  });
});

describe("an agent that cannot be edited", () => {
  it("is text without a field once a change was refused, with the reason and the draft, also after coming back", async () => {
    const { user, router } = await open();
    service().override(updateAgent, new Refusal("forbidden"), { times: 1 });
    await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText("You can view this agent, but not change it");
    const isText = () => {
      const prompt = within(screen.getByRole("region", { name: "System prompt" }));
      expect(prompt.getByText("Be brief.")).toBeInTheDocument();
      expect(screen.getByRole("region", { name: "Your draft" })).toHaveTextContent("Clerk 2");
      expect(screen.queryByRole("textbox")).toBeNull();
      expect(screen.queryByRole("button", { name: /^Save/ })).toBeNull();
    };
    isText();
    await router.navigate({
      to: "/agents/$agentId",
      params: { agentId: "agent_clerk" },
      ignoreBlocker: true,
    });
    await user.click(await screen.findByRole("link", { name: "Settings" }));
    await screen.findByText("You can view this agent, but not change it");
    isText();
    // They may have been given the right meanwhile.
    screen.getByRole("button", { name: "Edit anyway" }).focus();
    await user.keyboard("{Enter}");
    expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("Clerk 2");
    expect(document.activeElement).not.toBe(document.body);
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText("Saved as version 15.");
  });

  it("is text from the start where the service says that the caller only reads it", async () => {
    service().override(getAgent, anyJson({ agent: { ...anAgent({ tools: [] }), role: "viewer" } }));
    const { user } = renderConsole(address);
    await screen.findByText("You have the viewer role.");
    expect(screen.getByRole("region", { name: "Tools" })).toHaveTextContent("none: it only answers");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(screen.queryByRole("button", { name: /^Save|Edit anyway/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "More actions" }));
    expect(screen.getAllByRole("menuitem").map((one) => one.textContent)).toEqual([
      "Make a copy",
      "Permissions",
      "Audit log",
    ]);
  });

  it("C-22: is said to be gone when it was retired meanwhile, with the draft still there", async () => {
    const { user, wheelhouse } = await open();
    await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
    service().state.agents = [];
    await wheelhouse.queries.invalidateQueries();
    await screen.findByText(/This agent was retired, or moved/);
    expect(screen.getByRole("region", { name: "Your draft" })).toHaveTextContent("Clerk 2");
    expect(screen.getByRole("region", { name: "System prompt" })).toHaveTextContent("Be brief.");
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("leaves alone what came in a form that it could not send back", async () => {
    takeChanges(service());
    service().override(getAgent, anyJson({ agent: { ...anAgent(), resources: "none", metadata: [] } }));
    renderConsole(address);
    await screen.findByText(/in an unknown format/);
    expect(screen.getByRole("textbox", { name: "Temperature" })).toHaveAttribute("readonly");
    expect(screen.getByRole("textbox", { name: "Name" })).not.toHaveAttribute("readonly");
  });

  it("is not found, is being read, or could not be read", async () => {
    takeChanges(service());
    service().override(getAgent, never, { times: 1 });
    const first = renderConsole(address);
    await screen.findByText("Loading the agent");
    await waitFor(() => expect(service().seen(getAgent)).toHaveLength(1));
    first.unmount();
    service().override(getAgent, new Response("", { status: 502 }), { times: 1 });
    const second = renderConsole(address);
    await second.user.click(await screen.findByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("textbox", { name: "Name" })).toHaveValue("Clerk");
    second.unmount();
    service().state.agents = [];
    renderConsole(address);
    await screen.findByText("Agent not found, or you have no access");
  });
});

describe("C-01, C-03: an agent of which hardly anything can be read", () => {
  const strange: Readonly<Record<string, unknown>>[] = [
    {},
    { name: 7, version: "x", tools: "all", metadata: [] },
    { tools: [null, 3, { type: null, allowed_tool_call_ids: "every", approval_mode: 4 }], resources: [null] },
    { tools: [{ server_id: "s" }, { server_id: "s" }], model_name: ["a"], system_prompt: { text: 1 } },
    {
      metadata: {
        preferences: "fast",
        chat: { starter_prompts: [1] },
        appearance: null,
        odd: [[]],
        __proto__: {},
      },
    },
    { name: "\u202egpj.exe", description: "x".repeat(20_000), system_prompt: "line\n".repeat(5_000) },
  ];

  it.each(strange)("still has a page, and sends back nothing that was not seen: %#", async (part) => {
    takeChanges(service());
    service().override(getAgent, anyJson({ agent: { id: "agent_clerk", ...part } }));
    const { user } = renderConsole(address);
    await screen.findByRole("navigation", { name: "Sections" });
    expect(await screen.findByRole("button", { name: /^Save/ })).toHaveAttribute("aria-disabled", "true");
    const instructions = screen.getByRole("textbox", { name: "Instructions" });
    await user.type(instructions, "x");
    for (const link of sections().getAllByRole("link")) expect(link).toBeInTheDocument();
  });
});
