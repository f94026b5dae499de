import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { getSource, getSourceEstimate, listSources } from "../../../contract/knowledge.ts";
import { anyJson } from "../../../testing/msw.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

it("C-01: a file whose state is a word of JavaScript is shown with it, and the others too", async () => {
  const statuses = ["constructor", "__proto__", "toString", "indexed", null];
  const files = statuses.map((status, at) => ({ id: `file_${at}`, file_name: `${at}.txt`, status }));
  const source = { id: "source_law", name: "Case law", status: "active", files };
  service().override(listSources, anyJson({ sources: [source], next_cursor: null }));
  service().override(getSource, () => anyJson({ source }));
  service().override(
    getSourceEstimate,
    anyJson({ source_id: "source_law", status: "active", estimate: null }),
  );
  renderConsole("/knowledge/source_law");
  const table = within(await screen.findByRole("table", { name: "Files" }));
  for (const word of ["constructor", "__proto__", "toString", "searchable", "unknown"]) {
    expect(table.getByText(word)).toBeInTheDocument();
  }
});

it.each([
  [{ source: null }, "The source could not be loaded"],
  [{ source: {} }, "The source could not be shown"],
])("C-01: an answer without the source is said, and not waited for (%j)", async (answer, words) => {
  service().override(listSources, { sources: [], next_cursor: null });
  service().override(getSource, anyJson(answer));
  renderConsole("/knowledge/source_law");
  await screen.findByText(words);
});
