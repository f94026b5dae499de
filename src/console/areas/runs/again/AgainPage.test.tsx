import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getRunDetails } from "../../../../contract/run.ts";
import { type AgainNode, previewRunAgain, runAgain } from "../../../../contract/run-again.ts";
import { getRunNode, listRunNodes } from "../../../../contract/run-nodes.ts";
import { aDoneRun, aFlow, anInput, aRun, someRunDetails } from "../../../../testing/builders.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { aRunNode } from "../../../../testing/run-nodes.ts";

const service = mockServicePerTest();

const step = (id: string, part: Partial<AgainNode> = {}): AgainNode => ({
  ...{ id, type: "http", state: "reused", outside: false, may_repeat: false, items: null, run_id: null },
  ...part,
});

const nodes = [
  step("Name", { type: "input" }),
  step("Fetch"),
  step("Send", { state: "again", outside: true, may_repeat: true }),
  step("Report", { type: "template", state: "first_time" }),
];

const shown = (of: readonly AgainNode[] = nodes, refusals: { message: string; param: string }[] = []) => ({
  runs: [{ run_id: "run_hello", saved_item_id: "flow_hello", saved_item_name: "Say hello", nodes: [...of] }],
  refusals,
  preview: "digest",
});

const known = (value: unknown) => ({
  ...{ known: true, reason: null, value, size: JSON.stringify(value).length, beginning: null },
});
const answer = { value: "answer", status: 200 };

/** A run that failed at Send. */
function aFailedRun() {
  service().state.runs = [aRun({ state: "FAILED", finished_ts: "2026-11-20T08:15:04.000+00:00" })];
  service().state.flows = [
    { item: aFlow(), inputs: [anInput(), anInput({ name: "limits", description: null })] },
  ];
  service().override(
    getRunDetails,
    someRunDetails({
      ...{ state: "FAILED", finished_ts: "2026-11-20T08:15:04.000+00:00", error: "Send: 500" },
      inputs: { name: "Ada", limits: { most: 3 } },
    }),
  );
  service().override(listRunNodes, {
    ...{ run_id: "run_hello", state: "FAILED", readable: true },
    nodes: [
      aRunNode({ id: "Name", type: "input" }),
      aRunNode({ id: "Fetch", type: "http" }),
      aRunNode({ id: "Send", type: "http", state: "failed" }),
      aRunNode({ id: "Report", state: "not_run" }),
    ],
  });
  service().override(previewRunAgain, shown());
  service().override(getRunNode, { inputs: known({}), output: known(answer) });
}

const asked = () => service().seen(previewRunAgain).at(-1)?.body;
const from = () => screen.findByRole("combobox", { name: "From step" });
const start = () => screen.getByRole("button", { name: "Run again" });
const happens = () => within(screen.getByRole("complementary", { name: "What happens" }));

describe("running a run again", () => {
  it("offers where it failed, and says of each step what happens and what may happen twice", async () => {
    aFailedRun();
    renderConsole("/runs/run_hello/again");
    await waitFor(async () => expect(await from()).toHaveDisplayValue("Where it failed: Send"));
    expect(asked()).toEqual({});
    await happens().findByText("1 step may happen twice");
    expect(happens().getByText(/^Send reached servers/)).toBeInTheDocument();
    expect(
      happens()
        .getAllByRole("heading", { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(["Run again1", "Not reached before1a condition may skip them", "Reused2nothing is called"]);
    expect(
      screen.getByText("1 step runs again, 1 may run for the first time and 2 are reused."),
    ).toBeInTheDocument();
    expect(service().seen(runAgain)).toHaveLength(0);
  });

  it("says of an approval that people may be asked twice, and not that it reached servers", async () => {
    aFailedRun();
    const repeated = { state: "again", outside: true, may_repeat: true } as const;
    service().override(
      previewRunAgain,
      shown([step("Send", repeated), step("Sign off", { type: "approval", ...repeated })]),
    );
    renderConsole("/runs/run_hello/again");
    await from();
    await happens().findByText("2 steps may happen twice");
    const words = happens().getByText(/^Send reached servers, agents or other flows in the earlier run/);
    expect(words).toHaveTextContent(/or may have\. Sign off asked people in the earlier run, or may have\.$/);
  });

  it("says of a step for each item of a list that it may have asked people, too", async () => {
    aFailedRun();
    const repeated = { state: "again", outside: true, may_repeat: true } as const;
    service().override(previewRunAgain, shown([step("Sign all", { type: "each", ...repeated })]));
    renderConsole("/runs/run_hello/again");
    await from();
    expect(
      await happens().findByText(
        "Sign all reached servers, agents or other flows or asked people in the earlier run, or may have.",
      ),
    ).toBeInTheDocument();
  });

  it("C-01: does not wait for ever for a preview that the service did not name", async () => {
    aFailedRun();
    service().override(previewRunAgain, () => Response.json({ ...shown(), preview: 7 }));
    renderConsole("/runs/run_hello/again");
    const preview = await screen.findByRole("complementary", { name: "What happens" });
    await within(preview).findByText("1 step may happen twice");
    await waitFor(() => expect(start()).toHaveAccessibleDescription("There is no preview"));
    expect(preview.querySelector("[aria-busy=true]")).toBeNull();
  });

  it("starts exactly what was shown, once, under one key, and opens the new run", async () => {
    aFailedRun();
    let known: unknown;
    const { user, router, wheelhouse } = renderConsole("/runs/run_hello/again");
    service().override(runAgain, () => {
      known = wheelhouse.api
        .get()
        ?.history.runs.get()
        .find(({ runId }) => runId === null);
      service().state.runs.push(aDoneRun({ run_id: "run_new" }));
      return { run_id: "run_new", again_run_id: "run_new", saved_item_id: "flow_hello", url: "" };
    });
    await waitFor(() => expect(start()).not.toHaveAttribute("aria-disabled"));
    await user.dblClick(start());
    await waitFor(() => expect(router.state.location.pathname).toBe("/runs/run_new"));
    const [sent, ...more] = service().seen(runAgain);
    expect(more).toHaveLength(0);
    expect(sent?.body).toEqual({ preview: "digest" });
    expect(sent?.headers.get("idempotency-key")).toMatch(/^[\w-]{22}$/);
    expect(known).toMatchObject({ start: "sending", savedItemId: "flow_hello" });
  });

  it("S-150: a start that got no answer is tried again under the same key", async () => {
    aFailedRun();
    service().override(runAgain, new Response("", { status: 502 }));
    const { user } = renderConsole("/runs/run_hello/again");
    await waitFor(() => expect(start()).not.toHaveAttribute("aria-disabled"));
    await user.click(start());
    await screen.findByRole("alert");
    await waitFor(() => expect(start()).not.toHaveAttribute("aria-disabled"));
    await user.click(start());
    await waitFor(() => expect(service().seen(runAgain)).toHaveLength(2));
    const keys = service()
      .seen(runAgain)
      .map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(1);
  });

  it("takes step, item and flow from the address, and asks anew when they change", async () => {
    aFailedRun();
    const list = step("Send", { type: "each", state: "again", items: { reused: 999, total: 1_000 } });
    service().override(previewRunAgain, shown([list]));
    const { user, router } = renderConsole("/runs/run_hello/again?node=Send&item=417&flow=current");
    expect(await screen.findByRole("textbox", { name: "Item" })).toHaveValue("417");
    expect(asked()).toEqual({ from: { node: "Send", item: 417 }, flow: "current" });
    await happens().findByText("999 of 1,000 items reused");
    await user.clear(screen.getByRole("textbox", { name: "Item" }));
    await user.click(screen.getByRole("radio", { name: /^As it was/ }));
    await waitFor(() => expect(asked()).toEqual({ from: { node: "Send" } }));
    expect(router.state.location.search).toMatchObject({ node: "Send" });
  });

  it("sends only inputs that differ, as what they were, and takes a change back", async () => {
    aFailedRun();
    const { user } = renderConsole("/runs/run_hello/again");
    const name = await screen.findByRole("textbox", { name: /^name/ });
    expect(name).toHaveValue("Ada");
    await user.clear(name);
    await user.type(name, "Grace");
    const limits = screen.getByRole("textbox", { name: /^limits/ });
    await user.clear(limits);
    await user.click(limits);
    await user.paste('{"most": 4}');
    await waitFor(() => expect(asked()).toEqual({ inputs: { name: "Grace", limits: { most: 4 } } }));
    await user.click(screen.getByRole("button", { name: "Undo the change of name" }));
    expect(name).toHaveValue("Ada");
    await waitFor(() => expect(asked()).toEqual({ inputs: { limits: { most: 4 } } }));
  });

  it("takes an output in place of running the step, beginning with what it gave", async () => {
    aFailedRun();
    const { user } = renderConsole("/runs/run_hello/again?node=Fetch");
    const byHand = await screen.findByRole("switch", { name: "Set the output of Fetch by hand" });
    await waitFor(() => expect(byHand).not.toHaveAttribute("aria-disabled", "true"));
    await user.click(byHand);
    await waitFor(() => expect(asked()).toEqual({ from: { node: "Fetch" }, output: answer }));
    await user.click(byHand);
    await waitFor(() => expect(asked()).toEqual({ from: { node: "Fetch" } }));
  });

  it("offers no output by hand for an approval, which people answer", async () => {
    aFailedRun();
    service().override(previewRunAgain, shown([step("Ask", { type: "approval", state: "again" })]));
    renderConsole("/runs/run_hello/again?node=Ask");
    expect(await screen.findByText("Ask asks again. Its answer can’t be set by hand.")).toBeVisible();
    expect(screen.queryByRole("switch", { name: /by hand/ })).toBeNull();
  });

  it("puts each refusal to its field, and starts nothing", async () => {
    aFailedRun();
    service().override(
      previewRunAgain,
      shown(nodes, [
        { param: "from", message: 'The step "Fetch" has changed since.' },
        { param: "flow", message: "The flow has a fault." },
        { param: "run_id", message: "The run has not ended." },
      ]),
    );
    const { user } = renderConsole("/runs/run_hello/again?node=Send&flow=current");
    await waitFor(async () =>
      expect(await from()).toHaveAccessibleDescription('The step "Fetch" has changed since.'),
    );
    expect(screen.getByRole("group", { name: "Flow" })).toHaveAccessibleDescription("The flow has a fault.");
    expect(screen.getByRole("alert")).toHaveTextContent("The run has not ended.");
    expect(start()).toHaveAttribute("aria-disabled", "true");
    await user.click(start());
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(service().seen(runAgain)).toHaveLength(0);
  });

  it("says that what would be done has changed since it was shown, and shows it anew", async () => {
    aFailedRun();
    const message = "What would be done has changed since the preview: look at it again.";
    service().override(runAgain, new Refusal("invalid_body", { message, param: "preview" }));
    const { user } = renderConsole("/runs/run_hello/again");
    await waitFor(() => expect(start()).not.toHaveAttribute("aria-disabled"));
    service().override(previewRunAgain, { ...shown(nodes.slice(1)), preview: "another" });
    await user.click(start());
    await screen.findByText(message);
    await waitFor(() => expect(happens().queryByRole("link", { name: /^Name/ })).toBeNull());
    await waitFor(() => expect(start()).not.toHaveAttribute("aria-disabled"));
  });

  it("asks a run that is done for a step, without calling that a mistake", async () => {
    service().state.runs = [aDoneRun()];
    const refusal = {
      param: "from",
      message: "Nothing would be done again: choose a step, or change an input.",
    };
    service().override(previewRunAgain, shown([step("Name")], [refusal]));
    renderConsole("/runs/run_hello/again");
    expect(await from()).toHaveDisplayValue("Choose a step");
    await waitFor(() => expect(start()).toHaveAccessibleDescription("Choose a step, or change an input"));
    expect(screen.queryByText(refusal.message)).toBeNull();
  });

  it("keeps what was typed over a reload", async () => {
    aFailedRun();
    const first = renderConsole("/runs/run_hello/again");
    await first.user.type(await screen.findByRole("textbox", { name: /^name/ }), " Lovelace");
    await waitFor(() =>
      expect(first.wheelhouse.api.get()?.drafts.get("again run_hello")).toMatchObject({
        inputs: { name: "Ada Lovelace" },
      }),
    );
  });

  it("says so where the service cannot, where the run is not there, and where the preview cannot be had", async () => {
    aFailedRun();
    service().override(previewRunAgain, new Response("", { status: 502 }));
    const failing = renderConsole("/runs/run_hello/again");
    await screen.findByText("The preview could not be loaded", undefined, { timeout: 10_000 });
    failing.unmount();
    service().override(getRunDetails, new Refusal("not_found"));
    service().override(previewRunAgain, new Refusal("not_found"));
    const missing = renderConsole("/runs/run_gone/again");
    await screen.findByRole("heading", { name: "Run not found, or you have no access" });
    missing.unmount();
    service().state.capabilities = ["runs", "run_details"];
    renderConsole("/runs/run_hello/again", { as: { known: { named: ["runs", "run_details"], tried: {} } } });
    await screen.findByRole("heading", { name: "This service can’t run from a step" });
  });
});
