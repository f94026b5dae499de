import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { TextDiff } from "./TextDiff.tsx";

const rules = Array.from({ length: 12 }, (_, at) => `Rule ${at}`);

it("a changed line stands over its successor, and equal ones are folded until they are asked for", async () => {
  const before = [...rules, "Promise nothing.", "End"].join("\n");
  const after = [...rules, "Promise a berth.", "End", ""].join("\n");
  const { container } = render(<TextDiff before={before} after={after} label="By line" />);
  const words = (tag: string) => [...container.querySelectorAll(tag)].map((one) => one.textContent);
  expect(words("del")).toEqual(["removed: Promise nothing."]);
  expect(words("ins")).toEqual(["added: Promise a berth.", "added: (empty line)"]);
  expect(screen.queryByText("Rule 2")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "9 unchanged lines" }));
  screen.getByText("Rule 2");
});

it("C-08: shows marks for what would turn the letters of a line", () => {
  const { container } = render(<TextDiff before="pay now" after={"pay \u202Ewon"} label="By line" />);
  expect(container.querySelector("ins")?.textContent).toBe("added: pay ⟨U+202E⟩won");
});
