import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectRunState,
  setTheme,
  signInByKey,
} from "./console.ts";
import { test as base, expect } from "./fixtures.ts";
import { runEnds, startRun } from "./runs.ts";
import { Service } from "./service.ts";

/** Somebody outside, who notes each call, and answers an error where that is asked for. */
interface Outside {
  readonly port: number;
  readonly calls: string[];
  readonly broken: Set<string>;
  readonly close: () => void;
}

async function startOutside(): Promise<Outside> {
  const calls: string[] = [];
  const broken = new Set<string>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    calls.push(path);
    response.writeHead(broken.has(path) ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(`answer of ${path}`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, calls, broken, close: () => server.close() };
}

/** The sample workspace with two flows that call somebody outside. */
function workspaceWith({ port }: Outside): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-workspace-"));
  chmodSync(folder, 0o755);
  cpSync(resolve(import.meta.dirname, "../workspace"), folder, { recursive: true });
  const file = join(folder, "wheelhouse.yaml");
  const settings = readFileSync(file, "utf8");
  writeFileSync(file, settings.replace("allow_private: []", `allow_private: ["localhost:${port}"]`));
  const call = (path: string) => `{ type: http, url: "http://localhost:${port}${path}"`;
  const flow = (id: string, nodes: string) =>
    writeFileSync(
      join(folder, `flows/${id}.yaml`),
      `id: flow_${id}\nname: ${id}\nteam: team_harbor\nnodes:\n${nodes}\n`,
    );
  flow(
    "notify",
    `  ship: { type: input }
  fetch: ${call("/fetch/{{ ship.value }}")} }
  send: ${call("/send")}, after: [fetch] }
  archive: ${call("/archive")}, after: [send] }
  result: { type: output, value: "{{ fetch.value }}, {{ send.value }}" }`,
  );
  flow(
    "berths",
    `  all: { type: each, items: [north, east, south, west], concurrency: 1, do: ${call("/berth/{{ item }}")} } }
  result: { type: output, value: "{{ all.value }}" }`,
  );
  flow(
    "fleet",
    `  first: ${call("/first")} }
  notify: { type: flow, flow: flow_notify, after: [first], inputs: { ship: Aurora } }
  last: ${call("/last")}, after: [notify] }`,
  );
  return folder;
}

const test = base.extend<object, { outside: Outside }>({
  outside: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const outside = await startOutside();
      await use(outside);
      outside.close();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ outside }, use) => {
      const folder = workspaceWith(outside);
      const service = await Service.start({ flags: ["--workspace", folder] });
      await use(service);
      await service.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
});

test.beforeEach(async ({ page, outside }) => {
  outside.calls.length = 0;
  outside.broken.clear();
  await signInByKey(page);
});

const start = (page: Page) => page.getByRole("button", { name: "Run again", exact: true });
const happens = (page: Page) => page.getByRole("complementary", { name: "What happens" });

/** Starts what is shown, and waits on the page of the new run for its end. @returns its id */
async function runAgain(page: Page, state: string): Promise<string> {
  await start(page).click();
  await page.waitForURL(/\/runs\/[^/?]+(\?|$)/);
  await expectRunState(page, state);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

test("a run that failed goes again from there: only that and what comes after is called, and both runs know each other", async ({
  page,
  service,
  outside,
}) => {
  outside.broken.add("/send");
  const failed = await startRun(service, "flow_notify", { ship: "Aurora" });
  await runEnds(service, failed);
  outside.broken.clear();
  outside.calls.length = 0;
  await page.goto(`/runs/${failed}`);
  // By the keyboard, as everything.
  await page.getByRole("alert").getByRole("link", { name: "Run again from here" }).press("Enter");
  await expect(page.getByRole("combobox", { name: "From step" })).toHaveValue("");
  await expect(happens(page).getByText("1 step may happen twice")).toBeVisible();
  await expect(happens(page).getByRole("link", { name: /^send http may happen twice/ })).toBeVisible();
  expect(outside.calls).toEqual([]);
  await expectAccessible(page);
  await setTheme(page, "dark");
  await expectAccessible(page, "colours");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await runAgain(page, "Done");
  expect(outside.calls).toEqual(["/send", "/archive"]);
  const pair = page.getByRole("region", { name: "Related runs" });
  await expect(pair).toContainText("Run again of");
  await pair.getByRole("link", { name: "Compare" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Compare 2 runs" })).toBeVisible();
  expect(new URL(page.url()).searchParams.get("a")).toBe(failed);
  await page.goto(`/runs/${failed}`);
  await expect(pair).toContainText("Ran again as");
});

test("an item of a list is done again by itself", async ({ page, service, outside }) => {
  const done = await startRun(service, "flow_berths");
  await runEnds(service, done);
  outside.calls.length = 0;
  await page.goto(`/runs/${done}?node=all`);
  await page.getByRole("button", { name: /south/ }).click();
  await page.getByRole("link", { name: "Run again from here: item 2 of all" }).click();
  await expect(page.getByRole("textbox", { name: "Item" })).toHaveValue("2");
  await expect(happens(page).getByText("3 of 4 items reused")).toBeVisible();
  await runAgain(page, "Done");
  expect(outside.calls).toEqual(["/berth/south"]);
});

test("with an output by hand the step is not done, and with another input only what reads it", async ({
  page,
  service,
  outside,
}) => {
  const done = await startRun(service, "flow_notify", { ship: "Aurora" });
  await runEnds(service, done);
  outside.calls.length = 0;
  await page.goto(`/runs/${done}/again`);
  await expect(start(page)).toHaveAccessibleDescription("Choose a step, or change an input");
  await page.getByRole("combobox", { name: "From step" }).selectOption("send");
  await page.getByRole("switch", { name: "Set the output of send by hand" }).click();
  const editor = page.getByRole("textbox", { name: "Output of send as JSON" });
  // The plain field that stands there until the editor has come would lose what is selected in it.
  await expect(editor).toHaveAttribute("contenteditable", "true");
  await expect(editor).toContainText("answer of /send");
  await editor.press("ControlOrMeta+a");
  await page.keyboard.insertText('{ "val": 1 }');
  await expect(page.getByText(/"send" has no field "val"/)).toBeVisible();
  await editor.press("ControlOrMeta+a");
  await page.keyboard.insertText('{ "value": "by hand" }');
  await expect(happens(page).getByText("your output")).toBeVisible();
  await runAgain(page, "Done");
  expect(outside.calls).toEqual(["/archive"]);
  await expect(
    page
      .getByRole("complementary", { name: "Inputs and outputs" })
      .getByText("answer of /fetch/Aurora, by hand"),
  ).toBeVisible();

  outside.calls.length = 0;
  await page.goto(`/runs/${done}/again`);
  await page.getByRole("textbox", { name: /^ship/ }).fill("Borealis");
  await expect(happens(page).getByRole("link", { name: /^fetch http may happen twice/ })).toBeVisible();
  await runAgain(page, "Done");
  expect([...outside.calls].sort()).toEqual(["/archive", "/fetch/Borealis", "/send"]);
});

test("a step inside a sub-run goes again below a new run of the one at the top, whose other steps are reused", async ({
  page,
  service,
  outside,
}) => {
  outside.broken.add("/send");
  const top = await startRun(service, "flow_fleet");
  await runEnds(service, top);
  outside.broken.clear();
  outside.calls.length = 0;
  const details: { sub_runs: { run_id: string }[] } = await (
    await service.request("GET", `/runs/${top}`)
  ).json();
  const below = details.sub_runs[0]?.run_id ?? "";
  await page.goto(`/runs/${below}`);
  await page.getByRole("alert").getByRole("link", { name: "Run again from here" }).click();
  await expect(happens(page).getByRole("link", { name: /^send http may happen twice/ })).toBeVisible();
  await expect(happens(page).getByText("inside its sub-run")).toBeVisible();
  const again = await runAgain(page, "Done");
  expect(outside.calls).toEqual(["/send", "/archive", "/last"]);
  const made: { sub_runs: { run_id: string }[]; again_of: { run_id: string } | null } = await (
    await service.request("GET", `/runs/${again}`)
  ).json();
  expect([made.again_of?.run_id, made.sub_runs.length]).toEqual([top, 1]);
});
