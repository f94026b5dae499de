import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getInputs } from "../../../../contract/flow-inputs.ts";
import { listSavedItems } from "../../../../contract/flows.ts";
import { getRunDetails } from "../../../../contract/run.ts";
import { startPipeline } from "../../../../contract/start-pipeline.ts";
import { aDoneRun, aFlow, anInput, someRunDetails } from "../../../../testing/builders.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { memoryStore, signedInWheelhouse, slowStore } from "../../../../testing/test-wheelhouse.ts";

const service = mockServicePerTest();
const preview = async () => within(await screen.findByRole("region", { name: "Inputs" }));

describe("starting a run", () => {
  it("lists the flows, and asks for one before anything else", async () => {
    renderConsole("/runs/new");
    const flows = within(await screen.findByRole("navigation", { name: "Flows" }));
    expect(flows.getByRole("link", { name: /Say hello/ })).toHaveAttribute(
      "href",
      "/runs/new?flow=flow_hello",
    );
    expect(screen.getByRole("heading", { name: "Choose a flow" })).toBeInTheDocument();
  });

  it("says how flows come to be where the service has none, and still takes an ID", async () => {
    service().state.flows = [];
    const { user, router } = renderConsole("/runs/new");
    await screen.findByRole("heading", { name: "No flows yet" });
    expect(screen.getByText(/^Flows are files in the workspace’s/)).toHaveTextContent("restart the service");
    expect(screen.queryByText("Choose a flow")).toBeNull();
    expect(screen.queryByRole("searchbox", { name: "Search flows" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Start by saved item ID" }));
    await user.type(screen.getByRole("textbox", { name: "Saved item ID" }), "flow_told{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ flow: "flow_told" }));
  });

  it("offers no webhook input where the service says that the flow has none", async () => {
    service().override(getInputs, { inputs: [], webhook: false });
    renderConsole("/runs/new?flow=flow_hello");
    await screen.findByText("This flow has no named inputs. Start it as is.");
    expect((await preview()).queryByText(/webhook/i)).toBeNull();
  });

  it("sends what was typed, once, writes it down before the call, and goes to the run", async () => {
    const { user, router, wheelhouse } = renderConsole("/runs/new?flow=flow_hello");
    const name = await screen.findByRole("textbox", { name: /^name/ });
    expect((await preview()).getByText("not sent")).toBeInTheDocument();
    await user.type(name, "Grace");
    expect((await preview()).getByText("Grace")).toBeInTheDocument();
    expect(screen.getByText("1 input set.")).toBeInTheDocument();

    let known: unknown;
    service().override(startPipeline, ({ query }) => {
      known = wheelhouse.api.get()?.history.runs.get()[0];
      service().state.runs.push(aDoneRun({ run_id: "run_new" }));
      return { run_id: "run_new", saved_item_id: query.saved_item_id ?? "", url: "" };
    });
    await user.dblClick(screen.getByRole("button", { name: "Start run" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/runs/run_new"));
    const [sent, ...more] = service().seen(startPipeline);
    expect(more).toHaveLength(0);
    expect(sent?.body).toEqual({ name: "Grace" });
    expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual({
      saved_item_id: "flow_hello",
      user_id: "user_ada",
    });
    expect(known).toMatchObject({ start: "sending", inputs: { name: "Grace" } });
  });

  it("shows the default of each input, marks the required ones, and starts nothing without them", async () => {
    const inputs = [
      anInput({ name: "carrier", description: null, required: true }),
      anInput({ name: "currency", description: "Of the prices", required: false, default: "EUR" }),
      anInput({ name: "note", description: null, required: false }),
    ];
    service().state.flows = [{ item: aFlow(), inputs }];
    const { user } = renderConsole("/runs/new?flow=flow_hello");
    const carrier = await screen.findByRole("textbox", { name: /^carrier.*required/ });
    expect(carrier).toBeRequired();
    expect(carrier).toHaveAccessibleDescription("Required.");
    const currency = screen.getByRole("textbox", { name: /^currency/ });
    expect(currency).toHaveAttribute("placeholder", "EUR");
    expect(currency).toHaveAccessibleDescription("Of the prices. If empty, the flow uses this default.");
    expect((await preview()).getByText("EUR (default)")).toBeInTheDocument();
    expect((await preview()).getByText("empty")).toBeInTheDocument();

    const start = screen.getByRole("button", { name: "Start run" });
    expect(start).toHaveAccessibleDescription("carrier is required");
    await user.click(start);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(service().seen(startPipeline)).toHaveLength(0);
    await user.type(carrier, "DSV");
    await user.click(start);
    await waitFor(() => expect(service().seen(startPipeline)).toHaveLength(1));
    expect(service().seen(startPipeline)[0]?.body).toEqual({ carrier: "DSV" });
  });

  it("sends the fields in the order of the form, and what the form was filled in with as it was", async () => {
    const inputs = ["zeta", "b", "limits"].map((name) => anInput({ name, description: null }));
    service().state.flows = [{ item: aFlow(), inputs }];
    service().state.runs = [aDoneRun()];
    const given = { limits: { zeta: 1, b: [2] }, b: "two" };
    service().override(getRunDetails, someRunDetails({ run_id: "run_hello", inputs: given }));
    const { user } = renderConsole("/runs/new?flow=flow_hello&from=run_hello");
    await user.type(await screen.findByRole("textbox", { name: /^zeta/ }), "last typed");
    await user.click(screen.getByRole("button", { name: "Start run" }));
    await waitFor(() => expect(service().seen(startPipeline)).toHaveLength(1));
    expect(JSON.stringify(service().seen(startPipeline)[0]?.body)).toBe(
      '{"zeta":"last typed","b":"two","limits":{"zeta":1,"b":[2]}}',
    );
  });

  it("sends raw JSON as it was typed: the order of its fields, all digits of its numbers", async () => {
    const typed = '{"b": 1.0, "2": "two", "1": "one", "id": 12345678901234567890}';
    let sent = "";
    const { user, wheelhouse } = renderConsole("/runs/new?flow=flow_hello&as=json", {
      browser: {
        fetch: async (request, init) => {
          if (String(request).includes("/start_pipeline")) sent = String(init?.body);
          return fetch(request, init);
        },
      },
    });
    const body = await screen.findByRole("textbox", { name: "Body" });
    await user.clear(body);
    await user.click(body);
    await user.paste(typed);
    await user.click(screen.getByRole("button", { name: "Start run" }));
    await waitFor(() => expect(sent).toBe(typed));
    expect(wheelhouse.api.get()?.history.runs.get()).toHaveLength(1);
  });

  it("sends nothing for an input that is left to the flow", async () => {
    const { user } = renderConsole("/runs/new?flow=flow_hello");
    await screen.findByRole("textbox", { name: /^name/ });
    await user.click(screen.getByRole("button", { name: "Start run" }));
    await waitFor(() => expect(service().seen(startPipeline)).toHaveLength(1));
    expect(service().seen(startPipeline)[0]?.body).toEqual({});
  });

  it("gives the run to the team where that is chosen", async () => {
    const { user } = renderConsole("/runs/new?flow=flow_hello");
    await user.click(await screen.findByRole("radio", { name: "Harbor" }));
    expect(screen.getByText(/All members of Harbor can see/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Start run" }));
    await waitFor(() => expect(service().seen(startPipeline)).toHaveLength(1));
    expect(service().seen(startPipeline)[0]?.url.searchParams.get("project_id")).toBe("team_harbor");
  });

  it("takes raw JSON, marks a likely misspelling, and does not start what is no object", async () => {
    const { user } = renderConsole("/runs/new?flow=flow_hello&as=json");
    const body = await screen.findByRole("textbox", { name: "Body" });
    await user.clear(body);
    await user.click(body);
    await user.paste('{"nam": "Grace", "count": 2}');
    await screen.findByText("There is no input nam. Did you mean name?");
    expect((await preview()).getByText("not sent")).toBeInTheDocument();
    await user.clear(body);
    await user.paste("[1]");
    expect(screen.getByText(/The body must be an object/)).toBeInTheDocument();
    const start = screen.getByRole("button", { name: "Start run" });
    expect(start).toHaveAttribute("aria-disabled", "true");
    await user.click(start);
    expect(service().seen(startPipeline)).toHaveLength(0);
  });

  it("fills in what a run was given, and starts nothing by that", async () => {
    service().state.runs = [aDoneRun()];
    renderConsole("/runs/new?flow=flow_hello&from=run_hello");
    expect(await screen.findByRole("textbox", { name: /^name/ })).toHaveValue("Ada");
    expect(screen.getByText("Filled in from another run")).toBeInTheDocument();
    expect(service().seen(startPipeline)).toHaveLength(0);
  });

  it("keeps what was typed when the start is refused, says why, and keeps the draft over a reload", async () => {
    service().override(startPipeline, new Refusal("not_found"), { times: 1 });
    const { user, wheelhouse } = renderConsole("/runs/new?flow=flow_hello");
    await user.type(await screen.findByRole("textbox", { name: /^name/ }), "Grace");
    await user.click(screen.getByRole("button", { name: "Start run" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/^The run was not started/);
    expect(screen.getByRole("textbox", { name: /^name/ })).toHaveValue("Grace");
    expect(wheelhouse.api.get()?.drafts.get("start flow_hello")).toMatchObject({ values: { name: "Grace" } });
  });

  it("says that the run may have started where the answer was lost, and where to look", async () => {
    service().override(startPipeline, () => Response.error(), { times: 1 });
    const { user } = renderConsole("/runs/new?flow=flow_hello");
    await user.type(await screen.findByRole("textbox", { name: /^name/ }), "Grace");
    await user.click(screen.getByRole("button", { name: "Start run" }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(/^The run may have started/);
    expect(alert).not.toHaveTextContent("could not be loaded");
    expect(within(alert).getByRole("link", { name: "Check the runs list" })).toHaveAttribute("href", "/runs");
  });

  it("names a file input as a name, since nothing is uploaded here", async () => {
    service().state.flows = [
      { item: aFlow(), inputs: [anInput({ name: "csv", data_type: "file", description: null })] },
    ];
    renderConsole("/runs/new?flow=flow_hello");
    await screen.findByText(/nothing is uploaded/);
  });

  it("takes the body as text where the service does not tell inputs, and flows by their id", async () => {
    service().state.capabilities = null;
    service().override(listSavedItems, () => new Response("", { status: 404 }));
    service().override(getInputs, () => new Response("", { status: 404 }));
    renderConsole("/runs/new?flow=flow_of_a_stranger", { as: { known: { named: null, tried: {} } } });
    await screen.findByRole("textbox", { name: "Body" });
    expect(screen.getByRole("heading", { level: 2, name: "flow_of_a_stranger" })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Start by saved item ID" })).toBeInTheDocument();
  });

  it("says when the flows cannot be read", async () => {
    service().override(listSavedItems, new Refusal("forbidden"));
    renderConsole("/runs/new");
    await screen.findByRole("heading", { name: /The flows: no access/ });
  });
});

describe("the draft of a start", () => {
  const twoInputs = () => {
    const inputs = [anInput(), anInput({ name: "greeting", description: null })];
    service().state.flows = [{ item: aFlow(), inputs }];
  };
  const aBrowserThatKeeps = async (values: Record<string, string>) => {
    const store = memoryStore();
    const { api } = signedInWheelhouse({}, { store });
    await api.drafts.set("start flow_hello", { values, text: JSON.stringify(values) });
    return store;
  };
  const field = (name: string) => screen.findByRole("textbox", { name: new RegExp(`^${name}`) });

  it("appears when the browser's store answers after the form is drawn", async () => {
    twoInputs();
    const slow = slowStore(await aBrowserThatKeeps({ name: "Grace", greeting: "Hello" }));
    renderConsole("/runs/new?flow=flow_hello", { browser: { store: slow.store } });
    expect(await field("name")).toHaveValue("");
    slow.release();
    await waitFor(async () => expect(await field("name")).toHaveValue("Grace"));
    expect(await field("greeting")).toHaveValue("Hello");
  });

  it("is not overwritten by the first key that is typed before the store has answered", async () => {
    twoInputs();
    const store = await aBrowserThatKeeps({ name: "Grace", greeting: "Hello" });
    const slow = slowStore(store);
    const { user } = renderConsole("/runs/new?flow=flow_hello", { browser: { store: slow.store } });
    await user.type(await field("name"), "Ada");
    slow.release();
    await waitFor(async () => expect(await field("greeting")).toHaveValue("Hello"));
    expect(await field("name")).toHaveValue("Ada");
    await waitFor(async () =>
      expect([...new Map(await store.read("")).values()]).toContainEqual(
        expect.objectContaining({ values: { name: "Ada", greeting: "Hello" } }),
      ),
    );
  });

  it("stays when a start in another tab ends that sent something else", async () => {
    twoInputs();
    const store = await aBrowserThatKeeps({ name: "Grace" });
    const answer = service().holdBack(startPipeline, ({ query }) => {
      service().state.runs.push(aDoneRun({ run_id: "run_new" }));
      return { run_id: "run_new", saved_item_id: query.saved_item_id ?? "", url: "" };
    });
    const { user, router } = renderConsole("/runs/new?flow=flow_hello", { browser: { store } });
    await waitFor(async () => expect(await field("name")).toHaveValue("Grace"));
    await user.click(screen.getByRole("button", { name: "Start run" }));
    await waitFor(() => expect(service().seen(startPipeline)).toHaveLength(1));
    const { api } = signedInWheelhouse({}, { store });
    await api.drafts.set("start flow_hello", { values: { name: "Next" }, text: '{"name":"Next"}' });
    answer();
    await waitFor(() => expect(router.state.location.pathname).toBe("/runs/run_new"));
    const { api: later } = signedInWheelhouse({}, { store });
    await later.drafts.load();
    expect(later.drafts.get("start flow_hello")).toMatchObject({ values: { name: "Next" } });
  });

  it("of what another run was given is there after a reload, and leaves the flow's own draft alone", async () => {
    service().state.runs = [aDoneRun()];
    const store = await aBrowserThatKeeps({ name: "Grace" });
    const first = renderConsole("/runs/new?flow=flow_hello&from=run_hello", { browser: { store } });
    expect(await field("name")).toHaveValue("Ada");
    await first.user.type(await field("name"), " Lovelace");
    first.unmount();
    const again = renderConsole("/runs/new?flow=flow_hello&from=run_hello", { browser: { store } });
    await waitFor(async () => expect(await field("name")).toHaveValue("Ada Lovelace"));
    again.unmount();
    renderConsole("/runs/new?flow=flow_hello", { browser: { store } });
    await waitFor(async () => expect(await field("name")).toHaveValue("Grace"));
  });
});
