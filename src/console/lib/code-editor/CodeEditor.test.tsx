import "@testing-library/jest-dom/vitest";
import { EditorView } from "@codemirror/view";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { writeInto } from "../../../testing/agent-edits.ts";
import { CodeEditor, type CodeEditorProps } from "./CodeEditor.tsx";

/** The editor in a page with something beside it, as a form holds it. */
function Page({
  first,
  told,
  ...rest
}: Partial<CodeEditorProps> & { first: string; told: (text: string) => void }) {
  const [text, setText] = useState(first);
  return (
    <div>
      <button type="button" onClick={() => setText("from outside")}>
        Elsewhere
      </button>
      <CodeEditor
        label="Prompt"
        value={text}
        onChange={(next) => {
          told(next);
          setText(next);
        }}
        {...rest}
      />
    </div>
  );
}

async function show(props: Partial<CodeEditorProps> & { first: string }) {
  const told = vi.fn();
  const view = render(<Page {...props} told={told} />);
  await waitFor(() => expect(view.container.querySelector(".cm-editor")).not.toBeNull());
  return {
    ...view,
    told,
    user: userEvent.setup(),
    editor: () => screen.getByRole("textbox", { name: "Prompt" }),
  };
}

describe("the editor of long texts", () => {
  it("tells what is typed, shows what comes from outside, and does not tell that back", async () => {
    const { told, user, editor } = await show({ first: "one" });
    await writeInto("Prompt", "two");
    expect(told.mock.calls).toEqual([["two"]]);
    await user.click(screen.getByRole("button", { name: "Elsewhere" }));
    expect(editor()).toHaveTextContent("from outside");
    expect(told).toHaveBeenCalledTimes(1);
  });

  it("says what is wrong with the text, at the text and in full screen", async () => {
    const { user, editor, rerender } = await show({ first: "{", problem: "A } is missing." });
    expect(editor()).toHaveAttribute("aria-invalid", "true");
    expect(editor()).toHaveAccessibleDescription(/^A \} is missing\./);
    await user.click(screen.getByRole("button", { name: "Full screen" }));
    const whole = screen.getByRole("dialog", { name: "Prompt, full screen" });
    expect(whole).toHaveTextContent("A } is missing.");
    rerender(<Page first="{}" problem={null} told={() => {}} />);
    expect(screen.queryByText("A } is missing.")).toBeNull();
    await waitFor(() => expect(editor()).not.toHaveAttribute("aria-invalid"));
  });

  it("keeps the line breaks of another system", async () => {
    const { told, container, editor } = await show({ first: "a\r\nb" });
    expect(container.querySelectorAll(".cm-line")).toHaveLength(2);
    const view = EditorView.findFromDOM(editor());
    act(() => view?.dispatch({ changes: { from: 3, insert: "c" } }));
    expect(told.mock.calls).toEqual([["a\r\nbc"]]);
    expect(container.querySelectorAll(".cm-line")).toHaveLength(2);
  });

  it("fills the window with nothing behind it to reach, and Escape leads back to the text", async () => {
    const { user, editor } = await show({ first: "one" });
    await user.click(screen.getByRole("button", { name: "Full screen" }));
    expect(screen.getByRole("dialog", { name: "Prompt, full screen" })).toBeInTheDocument();
    expect(screen.getByText("Elsewhere")).toHaveAttribute("inert");
    expect(editor()).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByText("Elsewhere")).not.toHaveAttribute("inert");
    expect(editor()).toHaveFocus();
  });

  it("finds, marks lines, wraps or not, and lets a locked text be read only", async () => {
    const { user, container, editor } = await show({
      first: "one\ntwo\nthree",
      marks: { edited: [2], also: [3] },
      isReadOnly: true,
    });
    expect(container.querySelector(".cm-editedLine")).toHaveTextContent("two");
    expect(container.querySelector(".cm-alsoLine")).toHaveTextContent("three");
    expect(editor()).toHaveAttribute("aria-readonly", "true");
    expect(EditorView.findFromDOM(editor())?.state.readOnly).toBe(true);
    await user.click(screen.getByRole("button", { name: "Find in the text" }));
    expect(screen.getByRole("textbox", { name: "Find" })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Wrap lines" })).toHaveAttribute("aria-pressed", "true");
    await user.click(screen.getByRole("button", { name: "Wrap lines" }));
    expect(editor()).not.toHaveClass("cm-lineWrapping");
  });
});
