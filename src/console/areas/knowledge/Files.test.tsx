import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { addSourceFiles, getSource, getSourceEstimate, listSources } from "../../../contract/knowledge.ts";
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

it("sends what is dropped while other files are on their way after them", async () => {
  const source = { id: "source_law", name: "Case law", status: "draft", files: [] };
  service().override(listSources, anyJson({ sources: [source], next_cursor: null }));
  service().override(getSource, () => anyJson({ source }));
  service().override(
    getSourceEstimate,
    anyJson({ source_id: "source_law", status: "draft", estimate: null }),
  );
  const answer = service().holdBack(addSourceFiles, { files: [], rejected: [] });
  const { user } = renderConsole("/knowledge/source_law");
  await user.upload(await screen.findByLabelText("Files to add"), new File(["a"], "first.txt"));
  const place = await screen.findByText(/Or drop text, Markdown/);
  fireEvent.drop(place, { dataTransfer: { files: [new File(["b"], "second.txt")] } });
  const list = within(screen.getByRole("list", { name: "Added files" }));
  expect(list.getByText("second.txt")).toBeInTheDocument();
  answer();
  await waitFor(() => expect(list.getAllByText("uploaded")).toHaveLength(2));
  const sent = service().seen(addSourceFiles);
  expect(sent.map(({ body }) => body)).toMatchObject([
    { files: [{ file_name: "first.txt" }] },
    { files: [{ file_name: "second.txt" }] },
  ]);
});

it("says which files were refused also to whoever left the page while they were on their way", async () => {
  const source = { id: "source_law", name: "Case law", status: "draft", files: [] };
  service().override(listSources, anyJson({ sources: [source], next_cursor: null }));
  service().override(getSource, () => anyJson({ source }));
  service().override(
    getSourceEstimate,
    anyJson({ source_id: "source_law", status: "draft", estimate: null }),
  );
  const answer = service().holdBack(addSourceFiles, ({ body }) => {
    const rejected = body.files
      .filter(({ file_name }) => file_name !== "good.txt")
      .map(({ file_name }) => ({ file_name, reason: "This kind of file cannot be read." }));
    return { files: [], rejected };
  });
  const { user } = renderConsole("/knowledge/source_law");
  await user.upload(await screen.findByLabelText("Files to add"), [
    new File(["a"], "first.bin"),
    new File(["b"], "good.txt"),
    new File(["c"], "last.bin"),
  ]);
  await waitFor(() => expect(service().seen(addSourceFiles)).toHaveLength(1));
  await user.click(screen.getByRole("link", { name: "Runs" }));
  await screen.findByRole("heading", { name: "Runs" });
  answer();
  await screen.findByText("2 files were not added to Case law");
  expect(screen.getByText(/first\.bin and last\.bin: This kind of file cannot be read/)).toBeInTheDocument();
});
