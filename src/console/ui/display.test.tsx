import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { DurationBar } from "./Chart.tsx";
import { Chip } from "./Chip.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { ErrorState } from "./ErrorState.tsx";
import { middleCut } from "./Id.tsx";
import { Notice } from "./Notice.tsx";
import { Breadcrumbs } from "./PageFrame.tsx";
import { SkeletonRows } from "./SkeletonRows.tsx";
import type { Tone } from "./State.tsx";
import { State } from "./State.tsx";
import { Table } from "./Table.tsx";
import { Tab, TabBar } from "./Tabs.tsx";

afterEach(() => vi.restoreAllMocks());

const tones: Tone[] = ["running", "done", "failed", "stopped", "stopping", "waiting", "unknown"];

test("each state has a shape of its own, which is silent, beside its word", () => {
  const shapes = tones.map((tone) => {
    const { container, unmount } = render(<State tone={tone} word={`is ${tone}`} />);
    expect(container.textContent).toBe(`is ${tone}`);
    const svg = container.querySelector("svg");
    expect(svg?.getAttribute("aria-hidden")).toBe("true");
    const drawing = svg?.innerHTML;
    unmount();
    return drawing;
  });
  expect(new Set(shapes).size).toBe(tones.length);
});

test("a word that we do not know is shown as it came", () => {
  render(<State tone="unknown" word="<b>PAUSED</b>" />);
  expect(screen.getByText("<b>PAUSED</b>")).toBeTruthy();
});

test("an id cut in the middle keeps its start and end, and is never longer than before", () => {
  expect(middleCut("jVnA6tEcGfDNr9XNFDFgqg", 10, 6)).toBe("jVnA6tEcGf…FDFgqg");
  expect(middleCut("short", 10, 6)).toBe("short");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), fc.nat(20), (text, head, tail) => {
      const cut = middleCut(text, head, tail);
      const characters = [...text];
      expect([...cut].length).toBeLessThanOrEqual(characters.length);
      if (cut !== text) {
        expect(cut.startsWith(characters.slice(0, head).join(""))).toBe(true);
        expect(cut.endsWith(tail ? characters.slice(-tail).join("") : "…")).toBe(true);
        expect([...cut].length).toBe(head + tail + 1);
      }
    }),
  );
});

test.each([
  [-1, "0%"],
  [0.25, "25%"],
  [7, "100%"],
  [Number.NaN, "0%"],
])("a bar never leaves its track: %s is %s", (share, width) => {
  const { container } = render(<DurationBar share={share} tone="running" />);
  expect(container.querySelector<HTMLElement>("[style]")?.style.width).toBe(width);
});

test("copying says so aloud, and copies the whole text", async () => {
  const user = userEvent.setup();
  render(<CopyButton text="q7RkT2mWx0eLsVbN4hZ9Pd" what="run id" />);
  await user.click(screen.getByRole("button", { name: "Copy run id" }));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("Copied run id"));
  expect(await navigator.clipboard.readText()).toBe("q7RkT2mWx0eLsVbN4hZ9Pd");
});

test("a copy that the browser refuses is not called a copy", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no", "NotAllowedError"));
  render(<CopyButton text="abc" what="run id" />);
  await user.click(screen.getByRole("button", { name: "Copy run id" }));
  await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/^Could not copy/));
});

test("a filter that is set can be opened and taken away", async () => {
  const clear = vi.fn();
  const open = vi.fn();
  render(<Chip name="State" value="failed" onClick={open} onClear={clear} />);
  await userEvent.click(screen.getByRole("button", { name: "State failed" }));
  await userEvent.click(screen.getByRole("button", { name: "Clear State" }));
  expect([open, clear].map((fn) => fn.mock.calls.length)).toEqual([1, 1]);
});

test("a tab is a link, and the open one says so", () => {
  render(
    <TabBar label="Parts of the run">
      <Tab isActive count={3}>
        <a href="#files">Files</a>
      </Tab>
      <Tab isActive={false}>
        <a href="#inputs">Inputs</a>
      </Tab>
    </TabBar>,
  );
  const files = screen.getByRole("link", { name: "Files 3" });
  expect(files.getAttribute("href")).toBe("#files");
  expect(files.getAttribute("aria-current")).toBe("page");
  expect(screen.getByRole("link", { name: "Inputs" }).getAttribute("aria-current")).toBeNull();
});

test("the last crumb is the heading of the page, the others are links", () => {
  render(
    <Breadcrumbs
      parents={[{ key: "runs", link: <a href="#runs">Runs</a> }]}
      current="Carrier rate refresh"
    />,
  );
  expect(screen.getByRole("heading", { level: 1, name: "Carrier rate refresh" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Runs" })).toBeTruthy();
});

test("a column says how it sorts, and its head changes that", async () => {
  const sort = vi.fn();
  render(
    <Table
      label="Runs"
      columns={{
        started: { head: "Started", sort: "descending", onSort: sort, cell: () => null },
        flow: { head: "Flow", cell: () => null },
      }}
      idOf={String}
    />,
  );
  expect(screen.getByRole("columnheader", { name: "Started" }).getAttribute("aria-sort")).toBe("descending");
  expect(screen.getByRole("columnheader", { name: "Flow" }).getAttribute("aria-sort")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Started" }));
  expect(sort).toHaveBeenCalledOnce();
});

test("a row is opened by a click beside what in it acts by itself", async () => {
  const open = vi.fn();
  render(
    <Table
      label="Runs"
      columns={{ flow: { head: "Flow", cell: (flow) => <a href="#flow">{flow}</a> } }}
      groups={[{ key: "today", name: "Today", count: 1, rows: ["Nightly"] }]}
      idOf={String}
      isSelected={(flow) => flow === "Nightly"}
      onRow={open}
    />,
  );
  expect(screen.getByRole("rowheader", { name: "Today 1" })).toBeTruthy();
  expect(screen.getByRole("row", { name: "Nightly" }).dataset).toMatchObject({
    row: "Nightly",
    selected: "true",
  });
  await userEvent.click(screen.getByRole("link", { name: "Nightly" }));
  expect(open).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("cell", { name: "Nightly" }));
  expect(open).toHaveBeenCalledWith("Nightly", expect.anything());
});

test("an error is read at once, with a way to try again and the request id to copy in full", async () => {
  const retry = vi.fn();
  const user = userEvent.setup();
  render(
    <ErrorState title="The log could not be read" onRetry={retry} requestId="req_8fKxT5Wn2q7L2mQd">
      The service answered 502 twice.
    </ErrorState>,
  );
  expect(screen.getByRole("alert").textContent).toContain("req_8fKx…2mQd");
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(retry).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Copy request ID" }));
  expect(await navigator.clipboard.readText()).toBe("req_8fKxT5Wn2q7L2mQd");
});

test("an empty page gives the next step also as a line to copy", async () => {
  const user = userEvent.setup();
  render(
    <EmptyState title="No runs yet" curl='curl -H "Authorization: Bearer $WHEELHOUSE_KEY"'>
      Runs that you start appear here.
    </EmptyState>,
  );
  await user.click(screen.getByRole("button", { name: "Copy the command" }));
  expect(await navigator.clipboard.readText()).toBe('curl -H "Authorization: Bearer $WHEELHOUSE_KEY"');
});

test("a red block is read at once, an amber band when there is a pause", () => {
  render(
    <>
      <Notice kind="failed" title="Refused" />
      <Notice kind="waits" title="Sign in again" />
    </>,
  );
  expect(screen.getByRole("alert").textContent).toBe("Refused");
  expect(screen.getByRole("status").textContent).toBe("Sign in again");
});

test("what is being read is said in words, and its grey bars are not read", () => {
  const { container } = render(<SkeletonRows label="Reading runs" rows={3} columns={["14px", "1fr"]} />);
  expect(screen.getByRole("status").textContent).toBe("Reading runs");
  expect(container.querySelectorAll("[aria-hidden=true]")).toHaveLength(3);
});
