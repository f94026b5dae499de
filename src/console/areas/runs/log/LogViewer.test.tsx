import "@testing-library/jest-dom/vitest";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ConsoleError } from "../../../api/errors.ts";
import { PreferencesProvider, PreferencesStore } from "../../../lib/preferences/preferences.tsx";
import { ClockProvider, makeClock } from "../../../lib/time/clock.tsx";
import type { LogAddress } from "../search.ts";
import { LineFacts } from "../worker/line-facts.ts";
import type { RunLog } from "../worker/run-log.ts";
import { LogViewer } from "./LogViewer.tsx";
import type { LogSource } from "./useLogSearch.ts";

/** A log in memory that grows when the test says so. */
class GrowingLog implements RunLog {
  lastChange: RunLog["lastChange"] = "none";
  replacements = 0;
  version = 0;
  readonly facts = new LineFacts();
  readonly #lines: string[];
  readonly #listeners = new Set<() => void>();
  constructor(...lines: string[]) {
    this.#lines = lines;
  }
  get length() {
    return this.#lines.length;
  }
  getLines = (from: number, count: number) => this.#lines.slice(from, from + count);
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  add(...lines: string[]) {
    this.#lines.push(...lines);
    this.version++;
    this.#tell();
  }
  /** What the worker has read in the next lines: the code of each one's level. */
  learn(...levels: number[]) {
    const [from, nodes] = [this.facts.length, new Uint16Array(levels.length)];
    const timeline = { spans: [], leftOut: 0 };
    this.facts.add({ from, levels: Uint8Array.from(levels), nodes, names: [], timeline });
    this.#tell();
  }
  #tell() {
    act(() => {
      for (const listener of this.#listeners) listener();
    });
  }
}

interface Shown {
  isRead?: boolean;
  isMoving?: boolean;
  line?: number;
  hasFailed?: boolean;
  firstError?: number;
  filter?: LogAddress;
  search?: LogSource["search"];
}
const noFilter: LogAddress = {};

/** Finds a text in the lines that the worker has. */
const searchIn =
  (lines: () => readonly string[]): LogSource["search"] =>
  async ({ text, from = 0 }, onHits) => {
    const hits = lines().flatMap((line, at) => (at >= from && line.includes(text) ? [at] : []));
    onHits(Uint32Array.from(hits));
  };

function show(log: GrowingLog, props: Shown = {}) {
  const search = props.search ?? searchIn(() => log.getLines(0, log.length));
  const source = { log, search };
  const onLine = vi.fn();
  const onFilter = vi.fn();
  const clock = makeClock();
  const viewer = (now: typeof props) => (
    <PreferencesProvider store={new PreferencesStore()}>
      <ClockProvider clock={clock}>
        <LogViewer
          source={source}
          name="run_1"
          startedAt={Date.UTC(2026, 10, 20, 8)}
          isRead={now.isRead ?? true}
          isMoving={now.isMoving ?? true}
          line={now.line}
          hasFailed={now.hasFailed ?? false}
          firstError={now.firstError}
          filter={now.filter ?? noFilter}
          onFilter={onFilter}
          onLine={onLine}
          empty="No line yet"
        />
      </ClockProvider>
    </PreferencesProvider>
  );
  const { rerender } = render(viewer(props));
  return {
    user: userEvent.setup(),
    onLine,
    onFilter,
    change: (now: typeof props) => rerender(viewer({ ...props, ...now })),
  };
}

const line = (text: string) => `2026-11-20T08:00:02.118Z [Fetch] ${text}`;

describe("the log viewer", () => {
  it("follows a run that moves; turned off, it counts new lines instead of moving, and a click follows again", async () => {
    const log = new GrowingLog(line("one"));
    const { user } = show(log);
    const follow = screen.getByRole("switch", { name: "Follow" });
    expect(follow).toBeChecked();
    log.add(line("two"));
    expect(screen.queryByRole("button", { name: /new line/ })).toBeNull();
    await user.click(follow);
    log.add(line("three"), line("four"));
    await user.click(screen.getByRole("button", { name: "2 new lines" }));
    expect(follow).toBeChecked();
    expect(screen.queryByRole("button", { name: /new line/ })).toBeNull();
  });

  it("does not follow where the address names a line", () => {
    show(new GrowingLog(line("one"), line("two")), { line: 2 });
    expect(screen.getByRole("switch", { name: "Follow" })).not.toBeChecked();
  });

  it("says that the log has no such line where its address names one behind its end", () => {
    const words = "This log has no line 99,999. It ends with line 2.";
    const { change } = show(new GrowingLog(line("one"), line("two")), { line: 99_999 });
    // It may still come.
    expect(screen.queryByText(words)).toBeNull();
    change({ isMoving: false });
    expect(screen.getByText(words)).toBeInTheDocument();
    change({ isMoving: false, line: 2 });
    expect(screen.queryByText(words)).toBeNull();
  });

  it("C-08: shows marks for what would turn the letters of a line, of its node, and of a hit", () => {
    const log = new GrowingLog("2026-11-20T08:00:02.118Z [Fe\u202Ehct] pay \u202Ewon \u2066x");
    show(log, { filter: { q: "won" } });
    const row = screen.getByText("won").closest("li");
    expect(row).toHaveTextContent("Fe⟨U+202E⟩hct");
    expect(row).toHaveTextContent("pay ⟨U+202E⟩won ⟨U+2066⟩x");
  });

  const many = () => new GrowingLog(...Array.from({ length: 300 }, (_, at) => line(`text ${at + 1}`)));
  const scrollBy = (px: number) => {
    const box = screen.getByRole("region", { name: "Log" });
    box.scrollTop += px;
    fireEvent.scroll(box);
  };

  it("goes to the first error of a failed run as soon as that is known, and then leaves the reader alone", () => {
    const { change } = show(many(), { isMoving: false, hasFailed: true });
    expect(screen.getByText("text 1")).toBeInTheDocument();
    change({ firstError: 200 });
    expect(screen.getByText("text 200").closest("li")).toHaveTextContent("first error");
    scrollBy(-3_000);
    expect(screen.queryByText("text 200")).toBeNull();
    change({ firstError: 200 });
    expect(screen.queryByText("text 200")).toBeNull();
  });

  it("does not pull somebody away who has begun to read before the first error is known", () => {
    const { change } = show(many(), { isMoving: false, hasFailed: true });
    scrollBy(200);
    change({ firstError: 200 });
    expect(screen.getByText("text 12")).toBeInTheDocument();
    expect(screen.queryByText("text 200")).toBeNull();
  });

  it("has nothing to follow once the run has ended, and says when there was no log", () => {
    show(new GrowingLog(), { isMoving: false });
    expect(screen.queryByRole("switch", { name: "Follow" })).toBeNull();
    expect(screen.getByText("No line yet")).toBeInTheDocument();
  });

  it("stands ready while a run is read: its lines wait for it, and then it follows a run that moves", () => {
    const log = new GrowingLog();
    const { change } = show(log, { isRead: false, isMoving: false });
    log.add(line("one"));
    expect(screen.getByText("No line yet")).toBeInTheDocument();
    change({ isRead: true, isMoving: true });
    expect(screen.getByText("one")).toBeInTheDocument();
    expect(screen.getByRole("switch", { name: "Follow" })).toBeChecked();
    log.add(line("two"));
    expect(screen.queryByRole("button", { name: /new line/ })).toBeNull();
  });

  it("does not call lines new that came with the first read of a run, where the address names one of them", () => {
    const log = new GrowingLog();
    const { change } = show(log, { isRead: false, isMoving: false, line: 1 });
    log.add(line("one"), line("two"));
    change({ isRead: true, isMoving: true });
    expect(screen.getByRole("switch", { name: "Follow" })).not.toBeChecked();
    expect(screen.queryByRole("button", { name: /new line/ })).toBeNull();
    log.add(line("three"));
    expect(screen.getByRole("button", { name: "1 new line" })).toBeInTheDocument();
  });

  it("reads aloud what comes, and neither lines nor errors that were there at first", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const log = new GrowingLog();
    const { change } = show(log, { isRead: false, isMoving: false });
    log.add(line("failed: one"), line("two"));
    change({ isRead: true, isMoving: true });
    log.learn(2, 0);
    act(() => void vi.advanceTimersByTime(9_000));
    expect(screen.queryByText(/^\d+ new line/)).toBeNull();
    log.add(line("failed: three"));
    act(() => void vi.advanceTimersByTime(9_000));
    log.learn(2);
    log.add(line("four"), line("failed: five"));
    log.learn(0, 2);
    act(() => void vi.advanceTimersByTime(9_000));
    expect(screen.getByText("2 new lines, 1 error")).toBeInTheDocument();
  });

  it("counts hits over all lines, steps through them, and keeps the place when lines come", async () => {
    const log = new GrowingLog(line("mismatch a"), line("fine"), line("mismatch b"));
    const { user } = show(log);
    await user.type(screen.getByRole("searchbox", { name: "Search the log" }), "mismatch");
    expect(await screen.findByText("1 of 2")).toBeInTheDocument();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("2 of 2")).toBeInTheDocument();
    log.add(line("mismatch c"));
    expect(await screen.findByText("2 of 3")).toBeInTheDocument();
    await user.keyboard("{Escape}");
    expect(screen.getByRole("searchbox", { name: "Search the log" })).toHaveValue("");
  });

  it("looks for what its address says, puts what is typed there when the typing rests, and follows it back", async () => {
    const { user, onFilter, change } = show(new GrowingLog(line("one"), line("two")), {
      filter: { q: "two" },
    });
    const field = screen.getByRole("searchbox", { name: "Search the log" });
    expect(field).toHaveValue("two");
    expect(await screen.findByText("1 of 1")).toBeInTheDocument();
    await user.clear(field);
    await user.type(field, "on");
    await waitFor(() => expect(onFilter).toHaveBeenLastCalledWith(expect.objectContaining({ q: "on" })));
    // What was put there arrives while more is typed.
    await user.type(field, "e");
    change({ filter: { q: "on" } });
    expect(field).toHaveValue("one");
    change({ filter: { q: "two", regex: true } });
    expect(field).toHaveValue("two");
    expect(screen.getByRole("button", { name: /Use regular expression/ })).toBePressed();
  });

  it("counts a match once where the worker has lines already that are still on their way to the page", async () => {
    const lines = [line("mismatch a"), line("mismatch b"), line("mismatch c")];
    const log = new GrowingLog(...lines.slice(0, 2));
    const { user } = show(log, { search: searchIn(() => lines) });
    await user.type(screen.getByRole("searchbox", { name: "Search the log" }), "mismatch");
    expect(await screen.findByText("1 of 2")).toBeInTheDocument();
    log.add(line("mismatch c"));
    expect(await screen.findByText("1 of 3")).toBeInTheDocument();
    await user.keyboard("{Enter}{Enter}{Enter}");
    expect(await screen.findByText("1 of 3")).toBeInTheDocument();
  });

  it("does not say that there is no match where the search came to nothing", async () => {
    const search = () => Promise.reject(new ConsoleError({ kind: "network" }, "getRun"));
    const { user } = show(new GrowingLog(line("mismatch")), { isMoving: false, search });
    await user.type(screen.getByRole("searchbox", { name: "Search the log" }), "mismatch");
    expect(await screen.findByText("search failed")).toBeInTheDocument();
    expect(screen.queryByText("none")).toBeNull();
  });

  it("finds what a filter shows also in lines whose level becomes known after the search", async () => {
    const log = new GrowingLog(line("timeout"), line("failed: timeout"), line("failed again: timeout"));
    show(log, { isMoving: false, filter: { level: "error", q: "timeout" } });
    expect(await screen.findByText("none")).toBeInTheDocument();
    log.learn(0, 2, 2);
    expect(await screen.findByText("1 of 2")).toBeInTheDocument();
  });

  it.each([
    ["that can only be judged later", 1],
    ["that shows no line at all", 0],
  ])("goes to the line of its address also behind a filter %s", async (_how, level) => {
    const log = many();
    show(log, { isMoving: false, line: 201, filter: { level: "warning" } });
    log.learn(...Array.from({ length: 100 }, () => level));
    log.learn(...Array.from({ length: 200 }, () => 0));
    expect(await screen.findByText("text 201")).toBeInTheDocument();
  });

  it("lets no line become another one under the text that somebody has selected in it", () => {
    const texts = (from: number) => Array.from({ length: 60 }, (_, at) => line(`text ${from + at}`));
    const log = new GrowingLog(...texts(0));
    show(log);
    log.add(...texts(60));
    const taken = screen.getByText("text 119");
    log.add(...texts(120));
    expect(taken).toHaveTextContent("text 179");
    const held = screen.getByText("text 179");
    document.getSelection()?.selectAllChildren(held);
    act(() => void document.dispatchEvent(new Event("selectionchange")));
    log.add(...texts(log.length));
    expect(held).toHaveTextContent("text 179");
    document.getSelection()?.removeAllRanges();
  });

  it("copies of a selection in a filtered log only the lines that are shown", () => {
    const log = new GrowingLog(line("failed"), line("fine"), line("failed again"), line("fine again"));
    show(log, { isMoving: false, filter: { level: "error" } });
    log.learn(2, 0, 2, 0);
    const [one, other] = [screen.getByText("failed"), screen.getByText("failed again")];
    document.getSelection()?.setBaseAndExtent(one, 0, other, 1);
    const setData = vi.fn();
    fireEvent.copy(screen.getByRole("region", { name: "Log" }), { clipboardData: { setData } });
    expect(setData.mock.calls).toEqual([["text/plain", `${line("failed")}\n${line("failed again")}`]]);
    document.getSelection()?.removeAllRanges();
  });

  it("copies the whole log, also what is not on the screen", async () => {
    const { user } = show(new GrowingLog(line("one"), line("two")), { isMoving: false });
    await user.click(screen.getByRole("button", { name: "Copy log" }));
    expect(await navigator.clipboard.readText()).toBe(`${line("one")}\n${line("two")}`);
  });
});
