import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { listModels } from "../../../contract/models.ts";
import { examples } from "../../../testing/hostile/examples.ts";
import { everyField } from "../../../testing/hostile/faults.ts";
import { anyJson } from "../../../testing/msw.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const unworded = /\bNaN\b|\bundefined\b|\[object |Invalid Date|\bInfinity\b|This page could not be shown/;

it("C-01 an agent can be made with any one field of the models broken, from the models that are left", async () => {
  const { model_groups } = examples["GET /models"] as { model_groups: object[] };
  const other = {
    label: "Other",
    options: [{ value: "other/small-1", label: "Small 1", restricted: false }],
  };
  const faults = everyField({ model_groups: [...model_groups, other] });
  let at = -1;
  service().override(listModels, () => anyJson(faults[at]?.body ?? { model_groups }) as never);
  const { wheelhouse } = renderConsole("/agents/new");
  await screen.findByRole("textbox", { name: "Name" });
  for (const [next, { path, kind }] of faults.entries()) {
    const say = `${path.join(".")}: ${kind}`;
    at = next;
    await act(() =>
      wheelhouse.queries.resetQueries({ queryKey: [wheelhouse.api.get()?.id, listModels.name] }),
    );
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Name" }), say).toBeInTheDocument());
    if (path.length > 1) {
      await waitFor(() => expect(document.querySelector('[value="other/small-1"]'), say).not.toBeNull());
    }
    expect(screen.getByRole("main").textContent, say).not.toMatch(unworded);
  }
}, 300_000);
