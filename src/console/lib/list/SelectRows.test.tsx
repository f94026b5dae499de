import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Profiler } from "react";
import { expect, it } from "vitest";
import { RowSelection } from "./RowSelection.ts";
import { SelectRow } from "./SelectRows.tsx";

it("selecting a row draws that row alone, and rows that come draw none anew", async () => {
  const selection = new RowSelection();
  const draws: string[] = [];
  render(
    ["a", "b", "c"].map((id) => (
      <Profiler key={id} id={id} onRender={(row) => draws.push(row)}>
        <SelectRow selection={selection} id={id} label={`Select ${id}`} className="" />
      </Profiler>
    )),
  );
  draws.length = 0;
  selection.setRows(["a", "b", "c"]);
  await userEvent.click(screen.getByLabelText("Select b"));
  expect(screen.queryByRole("checkbox", { name: "Select b", checked: true })).not.toBeNull();
  expect(draws).toEqual(["b"]);
});
