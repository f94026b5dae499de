import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Input } from "../ui/Input.tsx";
import { FormDialog } from "./FormDialog.tsx";

type Part = Partial<Parameters<typeof FormDialog>[0]>;

/** @returns how often it was sent, and what shows it otherwise */
function form(part: Part = {}) {
  const onSubmit = vi.fn();
  const shown = (more: Part) => (
    <FormDialog
      title="New key"
      action="Create key"
      failedTitle="No key was created"
      mutation={{ isPending: false, error: null }}
      disabledReason={undefined}
      onClose={() => {}}
      onSubmit={onSubmit}
      {...more}
    >
      {more.children ?? <Input aria-label="Name" />}
    </FormDialog>
  );
  const { rerender } = render(shown(part));
  return { onSubmit, become: (more: Part) => rerender(shown(more)) };
}

const pending = { mutation: { isPending: true, error: null } };
const name = () => screen.getByLabelText("Name");
const button = () => screen.getByRole("button", { name: "Create key" });

test("Enter in a field sends the form, and so does its button", async () => {
  const { onSubmit } = form();
  await userEvent.type(name(), "laptop{Enter}");
  expect(onSubmit).toHaveBeenCalledTimes(1);
  await userEvent.click(button());
  expect(onSubmit).toHaveBeenCalledTimes(2);
});

test("Enter in one of several fields sends the form", async () => {
  const children = ["First name", "Last name"].map((label) => <Input key={label} aria-label={label} />);
  const { onSubmit } = form({ children });
  await userEvent.type(screen.getByLabelText("First name"), "Kay{Enter}");
  expect(onSubmit).toHaveBeenCalledTimes(1);
});

test("C-38 nothing is sent again while it is on its way, neither by Enter nor by the button", async () => {
  const { onSubmit, become } = form();
  await userEvent.type(name(), "laptop{Enter}");
  become(pending);
  await userEvent.type(name(), "{Enter}");
  await userEvent.click(button());
  expect(onSubmit).toHaveBeenCalledTimes(1);
});

test("C-38 two presses in one moment send it once", () => {
  const { onSubmit } = form();
  fireEvent.click(button());
  fireEvent.click(button());
  fireEvent.submit(name());
  expect(onSubmit).toHaveBeenCalledTimes(1);
});

test("what cannot be sent yet is not sent by Enter either", async () => {
  const { onSubmit } = form({ disabledReason: "Give it a name first" });
  await userEvent.type(name(), "{Enter}");
  await userEvent.click(button());
  expect(onSubmit).not.toHaveBeenCalled();
});

test("a refusal stands under the fields, which keep what was typed, and it can be sent again", async () => {
  const { onSubmit, become } = form();
  await userEvent.type(name(), "laptop{Enter}");
  become(pending);
  become({ mutation: { isPending: false, error: new Error("The service is away.") } });
  expect(screen.getByText("No key was created")).toBeTruthy();
  expect((name() as HTMLInputElement).value).toBe("laptop");
  await userEvent.click(button());
  expect(onSubmit).toHaveBeenCalledTimes(2);
});

test("C-44 it stays while it is on its way, so that what comes of it is seen", async () => {
  const onClose = vi.fn();
  const { become } = form({ onClose });
  await userEvent.type(name(), "laptop{Enter}");
  become({ ...pending, onClose });
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  become({ onClose });
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("what is typed is not thrown away without a word, neither by Escape nor by the close button", async () => {
  const onClose = vi.fn();
  form({ onClose, isDirty: true });
  await userEvent.type(name(), "laptop{Escape}");
  expect(screen.getByText("What you typed is not saved.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Create key" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Keep editing" }));
  expect(button()).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await userEvent.keyboard("{Escape}");
  expect(button()).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Discard" }));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect((name() as HTMLInputElement).value).toBe("laptop");
});
