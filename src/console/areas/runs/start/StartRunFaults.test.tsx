import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { getInputs } from "../../../../contract/flow-inputs.ts";
import { listSavedItems } from "../../../../contract/flows.ts";
import { examples } from "../../../../testing/hostile/examples.ts";
import { everyField } from "../../../../testing/hostile/faults.ts";
import { anyJson } from "../../../../testing/msw.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const unworded = /\bNaN\b|\bundefined\b|\[object |Invalid Date|\bInfinity\b|This page could not be shown/;

it("C-01 the flows are listed with any one field of one of them broken", async () => {
  const { saved_items } = examples["GET /list_saved_items"] as { saved_items: object[] };
  const other = { ...saved_items[0], saved_item_id: "flow_other", name: "Weekly report" };
  const faults = everyField({ saved_items: [...saved_items, other] }).filter(({ path }) => path.length > 1);
  let at = -1;
  service().override(listSavedItems, () => anyJson(faults[at]?.body ?? { saved_items }) as never);
  const { wheelhouse } = renderConsole("/runs/new");
  await screen.findByRole("navigation", { name: "Flows" });
  for (const [next, { path, kind }] of faults.entries()) {
    const say = `${path.join(".")}: ${kind}`;
    at = next;
    await act(() => wheelhouse.queries.resetQueries());
    const other = await screen.findByRole("link", { name: /Weekly report/ });
    expect(other, say).toHaveAttribute("href", "/runs/new?flow=flow_other");
    expect(screen.getByRole("main").textContent, say).not.toMatch(unworded);
  }
}, 300_000);

it("C-01 a run can be started with any one field of the inputs' answer broken", async () => {
  const { inputs } = examples["GET /get_inputs"] as { inputs: object[] };
  const faults = everyField({
    inputs: [...inputs, { name: "place", data_type: "string", description: null }],
  });
  let at = -1;
  service().override(getInputs, () => anyJson(faults[at]?.body ?? { inputs }) as never);
  const { wheelhouse } = renderConsole("/runs/new?flow=flow_hello");
  await screen.findByRole("textbox", { name: /^name/ });
  for (const [next, { path, kind }] of faults.entries()) {
    const say = `${path.join(".")}: ${kind}`;
    at = next;
    await act(() => wheelhouse.queries.resetQueries());
    await waitFor(() => expect(screen.getByRole("button", { name: "Start run" }), say).toBeInTheDocument());
    if (path.length > 1) await screen.findByRole("textbox", { name: /^place/ });
    expect(screen.getByRole("main").textContent, say).not.toMatch(unworded);
  }
}, 300_000);
