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

function Form({ label }: { label: string }) {
  const [text, setText] = useState("one\ntwo");
  return <CodeEditor label={label} value={text} onChange={setText} takesFocus />;
}

const field = (label: string) => screen.getByRole<HTMLTextAreaElement>("textbox", { name: label });

it("takes what is typed while the editor is loaded, which goes on at the same place and takes the focus from nobody", async () => {
  const user = userEvent.setup();
  const { container } = render(
    <>
      <Form label="Prompt" />
      <Form label="Rules" />
    </>,
  );
  expect(field("Rules")).toHaveFocus();
  await user.click(field("Prompt"));
  field("Prompt").setSelectionRange(0, 0);
  await user.keyboard("Zero, ");
  expect(field("Prompt")).toHaveValue("Zero, one\ntwo");
  field("Prompt").setSelectionRange(6, 9, "backward");
  await act(async () => script.late.come());
  await waitFor(() => expect(container.querySelectorAll(".cm-editor")).toHaveLength(2));
  expect(field("Prompt")).toHaveFocus();
  const state = EditorView.findFromDOM(field("Prompt"))?.state;
  expect(state?.sliceDoc()).toBe("Zero, one\ntwo");
  expect(state?.selection.main).toMatchObject({ anchor: 9, head: 6 });
});
