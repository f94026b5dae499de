import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Columns, RestCell, TableFrame, Td } from "./Table.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
});

/** The test's browser does not know which rule of a stylesheet wins. */
const hideGone = () =>
  vi.spyOn(window, "getComputedStyle").mockImplementation(({ classList }) => {
    const { style } = document.createElement("div");
    style.display = classList.contains("gone") ? "none" : "block";
    return style;
  });

const column = { cell: () => null };

/** Of these columns `size` has given way. */
const shown = (columns: Columns<unknown>, last: "rest" | "plain") => (
  <TableFrame label="Files" columns={columns}>
    <tbody>
      <tr>
        <Td />
        {last === "rest" ? <RestCell before={1}>1 version missing</RestCell> : <Td>1 version missing</Td>}
      </tr>
    </tbody>
  </TableFrame>
);
const size = { ...column, className: "gone" };
const cell = () => screen.getByRole<HTMLTableCellElement>("cell", { name: "1 version missing" });

test("a cell to the end of its row takes the columns that are shown, also where they become others", () => {
  hideGone();
  const { rerender } = render(shown({ name: column, size, agent: column, created: column }, "rest"));
  expect(cell().colSpan).toBe(2);
  rerender(shown({ name: column, size, created: column }, "rest"));
  expect(cell().colSpan).toBe(1);
});

test("a table without such a cell has nothing laid out while it is drawn", () => {
  const asked = hideGone();
  render(shown({ name: column, size, created: column }, "plain"));
  expect(asked).not.toHaveBeenCalled();
});
