import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Button, IconButton } from "./Button.tsx";

test("a button acts once when it is clicked, and does not send the form around it", async () => {
  const act = vi.fn();
  const submit = vi.fn((event) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <Button onClick={act}>Compare</Button>
    </form>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Compare" }));
  expect(act).toHaveBeenCalledOnce();
  expect(submit).not.toHaveBeenCalled();
});

test("a button that cannot act says why beside it, can be reached by keyboard, and does nothing", async () => {
  const act = vi.fn();
  const submit = vi.fn((event) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <Button type="submit" onClick={act} disabledReason="one check left">
        Sign in
      </Button>
    </form>,
  );
  const button = screen.getByRole("button", { name: "Sign in", description: "one check left" });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await userEvent.tab();
  expect(document.activeElement).toBe(button);
  await userEvent.keyboard("{Enter}");
  await userEvent.click(button);
  expect(act).not.toHaveBeenCalled();
  expect(submit).not.toHaveBeenCalled();
});

test("a reason that the view already shows is read aloud, and shown to who comes with the keyboard", async () => {
  render(
    <Button disabledReason="Type the name first" reasonAs="title">
      Retire agent
    </Button>,
  );
  const button = screen.getByRole("button", { description: "Type the name first" });
  // One tooltip: a title would be a second, which nobody can reach with the keyboard or close.
  expect(button.title).toBe("");
  await userEvent.tab();
  expect(screen.getByRole("tooltip").textContent).toBe("Type the name first");
});

test("an icon that cannot act yet shows its reason once", async () => {
  render(
    <IconButton label="Next hit" disabledReason="Nothing was found">
      +
    </IconButton>,
  );
  await userEvent.tab();
  expect(screen.getAllByRole("tooltip").map((one) => one.textContent)).toEqual(["Nothing was found"]);
  expect(screen.getByRole("button", { name: "Next hit" }).title).toBe("");
});

test("a second click while the first is under way does nothing", async () => {
  const act = vi.fn();
  render(
    <Button loading onClick={act}>
      Saving
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Saving" });
  expect(button.getAttribute("aria-busy")).toBe("true");
  await userEvent.click(button);
  expect(act).not.toHaveBeenCalled();
});

test("a button with only an icon has a name", () => {
  render(<IconButton label="Copy run id">+</IconButton>);
  expect(screen.getByRole("button", { name: "Copy run id" })).toBeTruthy();
});
