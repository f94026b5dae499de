import "@testing-library/jest-dom/vitest";
import { EditorView } from "@codemirror/view";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useRef, useState } from "react";
import { expect, it } from "vitest";
import Editor from "./Editor.tsx";
import type { Caret } from "./editor-types.ts";
import { PlainEditor } from "./PlainEditor.tsx";

/** A text in the plain field, or in the editor once that is here; it takes the focus when it comes. */
function Text({ label, isHere }: { label: string; isHere: boolean }) {
  const [value, onChange] = useState("one\ntwo");
  const caret = useRef<Caret>({ anchor: 0, head: 0 });
  const handle = useRef(null);
  const text = { label, value, onChange, caret };
  return isHere ? (
    <Editor {...text} wraps handle={handle} />
  ) : (
    <PlainEditor {...text} describedBy={undefined} isInvalid={false} />
  );
}

const page = (isHere: boolean) => (
  <>
    <Text label="Prompt" isHere={isHere} />
    <Text label="Rules" isHere={isHere} />
  </>
);

const field = (label: string) => screen.getByRole<HTMLTextAreaElement>("textbox", { name: label });

it("takes what is typed while the editor is loaded, which goes on at the same place and takes the focus from nobody", async () => {
  const user = userEvent.setup();
  const { rerender } = render(page(false));
  expect(field("Rules")).toHaveFocus();
  await user.click(field("Prompt"));
  field("Prompt").setSelectionRange(0, 0);
  await user.keyboard("Zero, ");
  expect(field("Prompt")).toHaveValue("Zero, one\ntwo");
  field("Prompt").setSelectionRange(6, 9, "backward");
  act(() => rerender(page(true)));
  expect(field("Prompt")).toHaveFocus();
  const state = EditorView.findFromDOM(field("Prompt"))?.state;
  expect(state?.sliceDoc()).toBe("Zero, one\ntwo");
  expect(state?.selection.main).toMatchObject({ anchor: 9, head: 6 });
});
