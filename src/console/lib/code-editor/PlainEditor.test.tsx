import "@testing-library/jest-dom/vitest";
import { EditorView } from "@codemirror/view";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { CodeEditor } from "./CodeEditor.tsx";

const script = vi.hoisted(() => {
  const late = { come: () => {} };
  const came = new Promise<void>((resolve) => {
    late.come = resolve;
  });
  return { late, came };
});

vi.mock(import("./Editor.tsx"), async (original) => {
  await script.came;
  return await original();
});

function Form() {
  const [text, setText] = useState("one\ntwo");
  return <CodeEditor label="Prompt" value={text} onChange={setText} takesFocus />;
}

const editor = <T extends HTMLElement>() => screen.getByRole<T>("textbox", { name: "Prompt" });

it("takes what is typed while the editor is loaded, and the editor goes on at the same place", async () => {
  const user = userEvent.setup();
  const { container } = render(<Form />);
  expect(editor()).toHaveFocus();
  await user.keyboard("Zero, ");
  expect(editor()).toHaveValue("Zero, one\ntwo");
  editor<HTMLTextAreaElement>().setSelectionRange(6, 9, "backward");
  await act(async () => script.late.come());
  await waitFor(() => expect(container.querySelector(".cm-editor")).not.toBeNull());
  expect(editor()).toHaveFocus();
  const state = EditorView.findFromDOM(editor())?.state;
  expect(state?.sliceDoc()).toBe("Zero, one\ntwo");
  expect(state?.selection.main).toMatchObject({ anchor: 9, head: 6 });
});
