import { act, createEvent, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, useState } from "react";
import { expect, test, vi } from "vitest";
import { Button, IconButton } from "./Button.tsx";
import { ConfirmDialog, Dialog } from "./Dialog.tsx";
import { Input } from "./Input.tsx";
import { Menu, MenuItem, Popover } from "./Menu.tsx";
import { Table } from "./Table.tsx";
import { type Toaster, ToastHost, ToastPlain, useToast } from "./Toast.tsx";
import { Tooltip } from "./Tooltip.tsx";

function Asking({ canClose = true }: { canClose?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Share</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        canClose={canClose}
        title="Share the file"
        description="Who may read it."
      >
        <Input aria-label="Name" />
      </Dialog>
    </>
  );
}

async function openDialog(asking: ReactElement) {
  render(asking);
  await userEvent.click(screen.getByRole("button", { name: "Share" }));
}

test("C-38 the second click of a double click leaves the dialog open that the first one opened; a later click outside closes it", async () => {
  await openDialog(<Asking />);
  const outside = (afterMs: number) => {
    const press = createEvent.pointerDown(document.body);
    Object.defineProperty(press, "timeStamp", { value: performance.now() + afterMs });
    fireEvent(document.body, press);
    fireEvent.click(document.body);
  };
  // Who listens to clicks outside begins after the click that opens.
  await act(async () => await new Promise((done) => setTimeout(done)));
  outside(100);
  expect(screen.getByRole("dialog")).toBeTruthy();
  outside(10_000);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a dialog takes the focus to what it asks for, and Escape gives it back", async () => {
  await openDialog(<Asking />);
  expect(
    screen.getByRole("dialog", { name: "Share the file", description: "Who may read it." }),
  ).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Share" })));
});

function AskingFromMenu() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Menu trigger={<IconButton label="More">…</IconButton>}>
        <MenuItem onSelect={() => setOpen(true)}>Share</MenuItem>
      </Menu>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Share the file">
        <Input aria-label="Name" />
      </Dialog>
    </>
  );
}

test("a dialog that was opened from a menu gives the focus back to the button of the menu", async () => {
  render(<AskingFromMenu />);
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Share" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "More" })));
});

function AskingInAsking() {
  const [open, setOpen] = useState<readonly string[]>([]);
  return (
    <>
      <Button onClick={() => setOpen(["share"])}>Share</Button>
      <Dialog isOpen={open.includes("share")} onClose={() => setOpen([])} title="Share the file">
        <Button onClick={() => setOpen(["share", "discard"])}>Discard…</Button>
        <Button onClick={() => setOpen(["done"])}>Apply</Button>
        <Dialog isOpen={open.includes("discard")} onClose={() => setOpen(["share"])} title="Discard?">
          <Button onClick={() => setOpen([])}>Discard all</Button>
        </Dialog>
      </Dialog>
      <Dialog isOpen={open.includes("done")} onClose={() => setOpen([])} title="Shared">
        <Input aria-label="Link" />
      </Dialog>
    </>
  );
}

test("C-55 a question over a dialog gives the focus back to the dialog, and closing both gives it to what opened the first", async () => {
  await openDialog(<AskingInAsking />);
  const ask = () => screen.getByRole("button", { name: "Discard…" });
  await userEvent.click(ask());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Discard all" }));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(ask()));
  await userEvent.click(ask());
  await userEvent.click(screen.getByRole("button", { name: "Discard all" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Share" })));
});

test("C-55 a dialog that takes the place of one over which something was asked gives the focus back to what opened that", async () => {
  await openDialog(<AskingInAsking />);
  await userEvent.click(screen.getByRole("button", { name: "Discard…" }));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByText("Discard?")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Link")));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Share" })));
});

test("a dialog that would lose something by closing stays", async () => {
  await openDialog(<Asking canClose={false} />);
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("dialog")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
});

test("what cannot be undone needs the name typed, and a name typed before does not count", async () => {
  const retire = vi.fn();
  const ask = (isOpen: boolean) => (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {}}
      title="Retire Claims triage?"
      consequence="It cannot be brought back."
      action="Retire agent"
      nameToType="Claims triage"
      onConfirm={retire}
    />
  );
  const { rerender } = render(ask(true));
  await userEvent.keyboard("Claims tri{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Retire agent" }));
  expect(retire).not.toHaveBeenCalled();
  await userEvent.type(screen.getByLabelText("Type Claims triage"), "age");
  await userEvent.click(screen.getByRole("button", { name: "Retire agent" }));
  expect(retire).toHaveBeenCalledOnce();
  rerender(ask(false));
  rerender(ask(true));
  expect(screen.getByLabelText<HTMLInputElement>("Type Claims triage").value).toBe("");
});

test("a menu in a row opens by keyboard, acts, and leaves the row alone", async () => {
  const open = vi.fn();
  const runAgain = vi.fn();
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a row that opens on click, as in a list
    <div onClick={open}>
      <Menu trigger={<IconButton label="More">…</IconButton>}>
        <MenuItem onSelect={runAgain}>Run again</MenuItem>
      </Menu>
    </div>,
  );
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Run again" }));
  expect(runAgain).toHaveBeenCalledOnce();
  expect(open.mock.calls.filter(([event]) => event.target.role === "menuitem")).toEqual([]);
  expect(screen.queryByRole("menu")).toBeNull();
});

test("a popover has a name, and Escape closes it", async () => {
  render(
    <Popover trigger={<Button>Live</Button>} label="How often this page is read">
      <Input aria-label="Seconds" />
    </Popover>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Live" }));
  expect(screen.getByRole("dialog", { name: "How often this page is read" })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
});

function Sender({ ready }: { ready: (toaster: Toaster) => void }) {
  ready(useToast());
  return null;
}

/** Where messages are shown, and what shows one. */
function toasts(): Toaster["show"] {
  let toaster: Toaster | undefined;
  const ready = (given: Toaster) => {
    toaster = given;
  };
  render(
    <ToastHost>
      <Sender ready={ready} />
    </ToastHost>,
  );
  return (message) => act(() => toaster?.show(message));
}

test("one message is shown at a time, and its act is done once", async () => {
  const undo = vi.fn();
  const show = toasts();
  show({ tone: "done", title: "Access changed" });
  await screen.findByText("Access changed");
  show({
    tone: "failed",
    title: "Message not sent",
    action: { label: "Retry", altText: "Retry in the outbox", onAct: undo },
  });
  expect(screen.queryByText("Access changed")).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Retry" }));
  expect(undo).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByText("Message not sent")).toBeNull());
});

test("a failure stays until it is closed or its time is over, and what came meanwhile is said after it", async () => {
  const show = toasts();
  show({ tone: "failed", title: "Message not sent" });
  await screen.findByText("Message not sent");
  show({ tone: "done", title: "Access changed" });
  show({ tone: "failed", title: "Run not stopped" });
  show({ tone: "done", title: "Saved" });
  expect(screen.getByText("Message not sent")).toBeTruthy();
  for (const next of ["Run not stopped", "Saved"]) {
    await userEvent.click(screen.getByRole("button", { name: "Close message" }));
    await screen.findByText(next);
  }
  await userEvent.click(screen.getByRole("button", { name: "Close message" }));
  await waitFor(() => expect(screen.queryByText("Saved")).toBeNull());
});

test("a message is also shown when the code that draws it could not be loaded", async () => {
  const retry = vi.fn();
  const close = vi.fn();
  const action = { label: "Retry", altText: "Retry in the outbox", onAct: retry };
  render(<ToastPlain message={{ tone: "failed", title: "Message not sent", action }} onClose={close} />);
  expect(screen.getByRole("alert").textContent).toContain("Message not sent");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect([retry, close].map((fn) => fn.mock.calls.length)).toEqual([1, 1]);
});

test("a tooltip stands at its icon, not at the corner of the window", async () => {
  render(
    <IconButton label="Copy">
      <svg aria-hidden="true" />
    </IconButton>,
  );
  const button = screen.getByRole("button", { name: "Copy" });
  // Nobody can make a DOMRectList: a list with one rectangle is what "it has a box" looks like.
  button.getClientRects = () => [new DOMRect()] as unknown as DOMRectList;
  button.getBoundingClientRect = () =>
    ({ left: 100, top: 200, width: 20, height: 20, right: 120, bottom: 220 }) as DOMRect;
  await userEvent.tab();
  expect(screen.getByRole("tooltip").style).toMatchObject({ left: "110px", top: "194px" });
});

test("a tooltip comes with the keyboard focus, describes its button, and Escape hides it", async () => {
  render(
    <Tooltip content="20 Nov 2026, 09:38:03">
      <button type="button">5 m ago</button>
    </Tooltip>,
  );
  expect(screen.queryByRole("tooltip")).toBeNull();
  await userEvent.tab();
  expect(screen.getByRole("tooltip").textContent).toBe("20 Nov 2026, 09:38:03");
  expect(screen.getByRole("button", { description: "20 Nov 2026, 09:38:03" })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).toBeNull();
});

function movePointer(from: Element, to: Element): void {
  fireEvent.pointerOut(from, { relatedTarget: to, pointerType: "mouse" });
  fireEvent.pointerOver(to, { relatedTarget: from, pointerType: "mouse" });
}

test("a tooltip stays while the pointer is on its words, and goes with it", async () => {
  const user = userEvent.setup();
  render(
    <div>
      <Tooltip content="Ended after 4.3 s, by its own hand">
        <button type="button">5 m ago</button>
      </Tooltip>
      <p>Elsewhere</p>
    </div>,
  );
  const button = screen.getByRole("button");
  await user.hover(button);
  const words = await screen.findByRole("tooltip");
  movePointer(button, words);
  expect(screen.getByRole("tooltip")).toBe(words);
  // A page that scrolls somewhere else, as a log does that follows its run, takes nothing away.
  fireEvent.scroll(screen.getByText("Elsewhere"));
  expect(screen.getByRole("tooltip")).toBe(words);
  movePointer(words, screen.getByText("Elsewhere"));
  expect(screen.queryByRole("tooltip")).toBeNull();
});

test("a tooltip of what has the focus stays when the pointer passes", async () => {
  const user = userEvent.setup();
  render(
    <Tooltip content="Exactly then">
      <button type="button">5 m ago</button>
    </Tooltip>,
  );
  await user.tab();
  await user.hover(screen.getByRole("button"));
  await user.unhover(screen.getByRole("button"));
  expect(screen.getByRole("tooltip")).toBeTruthy();
});

test("Escape closes the tooltip before the dialog that it stands in, and a press on it is none on the row", async () => {
  const user = userEvent.setup();
  const close = vi.fn();
  const open = vi.fn();
  render(
    <Dialog onClose={close} title="Settings">
      <Table
        label="Files"
        columns={{
          owner: {
            head: "Owner",
            cell: () => (
              <Tooltip content="Only you">
                <button type="button">Owner</button>
              </Tooltip>
            ),
          },
        }}
        rows={["a file"]}
        idOf={String}
        onRow={open}
      />
    </Dialog>,
  );
  await user.hover(screen.getByRole("button", { name: "Owner" }));
  fireEvent.click(await screen.findByRole("tooltip"));
  expect(open).not.toHaveBeenCalled();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).toBeNull();
  expect(close).not.toHaveBeenCalled();
  await user.keyboard("{Escape}");
  expect(close).toHaveBeenCalledTimes(1);
});
