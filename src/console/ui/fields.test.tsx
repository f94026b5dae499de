import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { Checkbox } from "./Checkbox.tsx";
import { RadioRows, Switch } from "./Choices.tsx";
import { Field, NativeSelect, PasswordInput, Textarea } from "./Field.tsx";
import { Input } from "./Input.tsx";
import { SearchInput } from "./SearchInput.tsx";
import { Segmented } from "./Segmented.tsx";

test.each([
  ["a line", <Input key="a" />],
  ["several lines", <Textarea key="a" />],
  ["a secret", <PasswordInput key="a" />],
  ["a list", <NativeSelect key="a" />],
])("the label, hint and error of a field belong to its control: %s", (_, control) => {
  const { rerender } = render(
    <Field label="valid_from" hint="As in the contract" required>
      {control}
    </Field>,
  );
  const field = screen.getByLabelText("valid_from");
  expect(screen.getByText("As in the contract").id).toBe(field.getAttribute("aria-describedby"));
  expect(field.getAttribute("aria-required")).toBe("true");
  expect(field.getAttribute("aria-invalid")).toBeNull();
  rerender(
    <Field label="valid_from" hint="As in the contract" error="There is no month 13.">
      {control}
    </Field>,
  );
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("There is no month 13.").id).toBe(field.getAttribute("aria-describedby"));
  expect(screen.queryByText("As in the contract")).toBeNull();
});

test("a secret is hidden until the person asks to see it", async () => {
  render(
    <Field label="Key">
      <PasswordInput defaultValue="not-a-real-key" />
    </Field>,
  );
  const field = screen.getByLabelText("Key");
  expect(field.getAttribute("type")).toBe("password");
  await userEvent.click(screen.getByRole("button", { name: "Show key" }));
  expect(field.getAttribute("type")).toBe("text");
  await userEvent.click(screen.getByRole("button", { name: "Hide key" }));
  expect(field.getAttribute("type")).toBe("password");
});

test("a tick box tells some from all and from none, and its words tick it", async () => {
  const change = vi.fn();
  const { rerender } = render(<Checkbox label="Wrap lines" isPartial onChange={change} />);
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "Wrap lines" });
  expect(box.indeterminate).toBe(true);
  rerender(<Checkbox label="Wrap lines" onChange={change} />);
  expect(box.indeterminate).toBe(false);
  await userEvent.click(screen.getByText("Wrap lines"));
  expect(box.checked).toBe(true);
  expect(change).toHaveBeenCalledOnce();
});

test("a switch says that it is one, and whether it is on", async () => {
  render(<Switch label="Follow" />);
  const toggle = screen.getByRole<HTMLInputElement>("switch", { name: "Follow" });
  await userEvent.click(toggle);
  expect(toggle.checked).toBe(true);
});

function Level() {
  const [level, setLevel] = useState<"all" | "errors">("all");
  const options = [
    { value: "all", label: "All" },
    { value: "errors", label: "Errors 3" },
  ] as const;
  return <Segmented label="Level" options={options} value={level} onChange={setLevel} />;
}

test("of views that exclude each other one is on, and the arrow keys change it", async () => {
  render(<Level />);
  expect(screen.getByRole("group", { name: "Level" })).toBeTruthy();
  await userEvent.tab();
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Errors 3" }).checked).toBe(true);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "All" }).checked).toBe(false);
});

test("a connection is chosen by name, with its state beside it and the hint read with the group", async () => {
  const choose = vi.fn();
  render(
    <RadioRows
      legend="Connection"
      hint="Named by whoever started the process"
      value="here"
      onChange={choose}
      rows={[
        { value: "here", name: "Wheelhouse", state: "4 ms" },
        { value: "test", name: "Halden test", about: "upstream", state: "no answer" },
      ]}
    />,
  );
  expect(
    screen.getByRole("group", { name: "Connection", description: "Named by whoever started the process" }),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: /Halden test.*no answer/ }));
  expect(choose).toHaveBeenCalledWith("test");
});

test("the search field has a name, and shows its key only while it is empty", () => {
  const { rerender } = render(<SearchInput label="Search runs" shortcut="/" value="" onText={() => {}} />);
  expect(screen.getByRole("searchbox", { name: "Search runs" })).toBeTruthy();
  expect(screen.getByText("/")).toBeTruthy();
  rerender(
    <SearchInput label="Search runs" shortcut="/" count="34 of 41" value="mismatch" onText={() => {}} />,
  );
  expect(screen.queryByText("/")).toBeNull();
  expect(screen.getByText("34 of 41")).toBeTruthy();
});

test("Escape empties the search field first, and only then goes on to what is around it", async () => {
  const change = vi.fn();
  const around = vi.fn();
  window.addEventListener("keydown", around);
  const { rerender } = render(<SearchInput label="Search runs" value="mismatch" onText={change} />);
  screen.getByRole("searchbox").focus();
  await userEvent.keyboard("{Escape}");
  expect(change).toHaveBeenCalledWith("");
  expect(around).not.toHaveBeenCalled();
  rerender(<SearchInput label="Search runs" value="" onText={change} />);
  await userEvent.keyboard("{Escape}");
  expect(around).toHaveBeenCalledTimes(1);
  window.removeEventListener("keydown", around);
});

test("what cannot be changed now keeps the focus, and stays as it is", async () => {
  const user = userEvent.setup();
  const changed = vi.fn();
  const parts = (isOff: boolean) => (
    <>
      <NativeSelect aria-label="Role" aria-disabled={isOff} value="a" onChange={changed}>
        <option value="a">Viewer</option>
        <option value="b">Editor</option>
      </NativeSelect>
      <Checkbox label="Ada" aria-disabled={isOff} checked={false} onChange={changed} />
      <Switch label="On" aria-disabled={isOff} checked={false} onChange={changed} />
      <Segmented
        label="Link"
        isOff={isOff}
        value="off"
        options={[
          { value: "off", label: "Off" },
          { value: "on", label: "Anyone" },
        ]}
        onChange={changed}
      />
    </>
  );
  const { rerender } = render(parts(false));
  const roles = ["combobox", "checkbox", "switch", "radio"];
  const controls = () => roles.flatMap((role) => screen.getAllByRole(role));
  for (const control of controls()) {
    rerender(parts(false));
    control.focus();
    rerender(parts(true));
    expect(control).toBe(document.activeElement);
    // A browser takes the focus from what is disabled; this one does not.
    expect(control.matches(":disabled")).toBe(false);
    if (control.matches("select")) await user.selectOptions(control, "b");
    else await user.click(control);
    await user.keyboard(" ");
  }
  expect(changed).not.toHaveBeenCalled();
  expect(screen.getByRole("checkbox")).toHaveProperty("checked", false);
  expect(screen.getByRole("combobox")).toHaveProperty("value", "a");
  expect(screen.getByRole("radio", { name: "Off" })).toHaveProperty("checked", true);
});
