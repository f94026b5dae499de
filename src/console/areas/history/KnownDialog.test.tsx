import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { aSignIn } from "../../../testing/test-wheelhouse.ts";

mockServicePerTest();

const bytesOf = (blob: Blob) =>
  new Promise<ArrayBuffer>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as ArrayBuffer);
    reader.readAsArrayBuffer(blob);
  });
const textOf = async (blob: Blob) => new TextDecoder().decode(await bytesOf(blob));
// What the test's browser has not.
Blob.prototype.arrayBuffer ??= function arrayBuffer(this: Blob) {
  return bytesOf(this);
};

let saved: Blob[] = [];
beforeEach(() => {
  saved = [];
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob);
    return "blob:known";
  };
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
});

/** Opens the dialog from the settings, in a browser that knows a run for each of these inputs, and a conversation. */
async function opened(...inputs: readonly Record<string, unknown>[]) {
  const view = renderConsole("/runs/compare");
  const api = view.wheelhouse.api.get();
  await act(async () => {
    for (const [at, one] of inputs.entries()) {
      const start = { savedItemId: "flow_hello", savedItemName: "Say hello", projectId: null, inputs: one };
      const { id = "" } = (await api?.history.begin(start)) ?? {};
      await api?.history.failed(id, true, `refused ${at}`);
    }
    if (inputs.length > 0) await api?.conversations.saw("int_1", { agentId: "agent_1", name: "Berths" });
  });
  await view.user.click(await screen.findByRole("button", { name: "Settings" }));
  await view.user.click(await screen.findByRole("menuitem", { name: "Local history" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Local history" }));
  const value = (name: string) => dialog.getByText(name).nextElementSibling?.textContent;
  const take = async (...lines: readonly unknown[]) => {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    await view.user.upload(dialog.getByLabelText("File to import"), new File([text], "known.ndjson"));
    await dialog.findByText(/already known/);
  };
  return { ...view, api, dialog, value, take };
}

it("opens with the focus on nothing that takes anything away", async () => {
  const { dialog } = await opened({ name: "Ada" });
  await waitFor(() => expect(dialog.getByRole("button", { name: "Import…" })).toHaveFocus());
});

const header = {
  format: "wheelhouse-known",
  version: 1,
  service: location.origin,
  as: "/api/v1 person user_ada ",
};
const run = (at: number) => ({
  run: {
    ...{ id: `rec_${at}`, runId: `run_${at}`, start: "started", provenance: "opened", savedItemId: null },
    ...{ savedItemName: `Flow ${at}`, projectId: null, inputs: null, knownAt: at, last: null, error: null },
  },
});

describe("what this browser knows", () => {
  it("is counted, and exported as lines that hold no key", async () => {
    const { user, dialog, value } = await opened({ name: "Ada" }, { api_key: "hunter2-hunter2-hunter2" });
    await waitFor(() => expect(value("Size")).toMatch(/^[\d.]+ k?B$/));
    expect([value("Runs"), value("Conversations")]).toEqual(["2", "1"]);
    expect(dialog.getByText(/1 record looks as if a password or key was sent/)).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Export" }));
    const file = await textOf(saved[0] ?? new Blob());
    const [first, ...rest] = file.trimEnd().split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject(header);
    expect(rest).toHaveLength(3);
    expect(file).toContain('"name":"Ada"');
    expect(file).not.toContain("hunter2");
    expect(file).not.toContain(aSignIn().credential.secret);
  });

  it("takes a file in, names the lines that are left out, and shows what came", async () => {
    const { dialog, value, take, api } = await opened({ name: "Ada" });
    await take(header, run(1), '{"run": {"id"', run(2), { ...header, version: 9 }, run(3));
    expect(dialog.getByText(/2 records added, 0 updated, 0 already known, 2 lines left out/)).toBeVisible();
    const left = within(dialog.getByRole("list", { name: "Left out" }));
    expect(left.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Line 3 is not JSON, or cut off",
      "Line 5 has version 9, which this console does not know; the line below it was skipped too",
    ]);
    expect(value("Runs")).toBe("3");
    expect(api?.history.runs.get().map((one) => one.savedItemName)).toEqual([
      "Say hello",
      "Flow 2",
      "Flow 1",
    ]);
  });

  it("keeps what is somebody else's apart, and asks before it takes what another service knows", async () => {
    const { user, dialog, value, take } = await opened();
    await take(
      { ...header, as: "/api/v1 person user_grace " },
      run(1),
      { ...header, service: "https://wheelhouse.example.com" },
      run(2),
    );
    expect(dialog.getByText(/1 of them belongs to another sign-in/)).toBeVisible();
    expect(dialog.getByText(/^Nothing yet\./)).toBeVisible();
    expect(dialog.getByText("1 record from another service left out")).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "It’s this service" }));
    await waitFor(() => expect(value("Runs")).toBe("1"));
    expect(dialog.queryByText("1 record from another service left out")).toBeNull();
  });

  it("does not freeze on 100,000 records in 50 MB", async () => {
    const { dialog, value, user } = await opened();
    const padding = "x".repeat(330);
    const lines = Array.from({ length: 100_000 }, (_, at) =>
      JSON.stringify({ run: { ...run(at).run, savedItemName: padding } }),
    );
    const file = new File([JSON.stringify(header), "\n", lines.join("\n")], "known.ndjson");
    expect(file.size).toBeGreaterThan(50_000_000);
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    });
    await user.upload(dialog.getByLabelText("File to import"), file);
    await dialog.findByText(/2,000 records added/, {}, { timeout: 240_000 });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(20);
    expect(dialog.getByText(/98,000 older records did not fit/)).toBeVisible();
    expect(value("Runs")).toBe("2,000");
  }, 300_000);

  it("is forgotten only after a question, and stays where the answer is no", async () => {
    const { user, api } = await opened({ name: "Ada" });
    await user.click(screen.getByRole("button", { name: "Forget…" }));
    const question = await screen.findByRole("dialog", { name: "Forget 1 run and 1 conversation?" });
    await user.click(within(question).getByRole("button", { name: "Cancel" }));
    expect(api?.history.runs.get()).toHaveLength(1);
    await user.click(await screen.findByRole("button", { name: "Forget…" }));
    await user.click(await screen.findByRole("button", { name: "Forget" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Local history" }));
    expect(dialog.getByRole("button", { name: "Export" })).toHaveAttribute("aria-disabled", "true");
    expect([api?.history.runs.get(), api?.conversations.list.get()]).toEqual([[], []]);
  });
});
