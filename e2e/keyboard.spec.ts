import { expectRunState, expectSignedIn, openSignedIn } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { pressPair } from "./keys.ts";
import { runEnds, startRun } from "./runs.ts";
import { keys } from "./service.ts";

test("somebody signs in, starts a flow and reads its run with the keyboard alone", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Key", { exact: true }).focus();
  await page.keyboard.type(keys.ada);
  // Past the button that shows the key.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("User id")).toBeFocused();
  await page.keyboard.type("user_ada");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await page.keyboard.press("Enter");
  await expectSignedIn(page);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.type("Say hello");
  // Runs of the same name may come first, and what is selected then stays so.
  const flow = page
    .getByRole("group", { name: "Start", exact: true })
    .getByRole("option", { name: /^Say hello/ });
  await expect(flow).toBeVisible();
  await expect(async () => {
    if ((await flow.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    await expect(flow).toHaveAttribute("aria-selected", "true", { timeout: 100 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Say hello" })).toBeVisible();
  await page.getByRole("textbox", { name: /^name/ }).focus();
  await page.keyboard.type("Keyboard");
  await page.keyboard.press("Control+Enter");
  await expectRunState(page, "Done");
});

test("what is typed while the palette is on its way stands in it, and the page's own keys get none of it", async ({
  page,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await openSignedIn(page, "/agents");
  await expect(page.getByRole("table", { name: "Agents" })).toBeVisible();
  // Every script that comes from now on: those of the palette are among them.
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("nothaX");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("r");
  await expect(page.getByRole("dialog")).toBeHidden();
  release();
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect(field).toHaveValue("nothar");
  await page.keyboard.type("bour");
  await expect(field).toHaveValue("notharbour");
  expect(new URL(page.url()).pathname).toBe("/agents");
});

test("g r goes to the runs, / to the search, ? shows the keys and Escape closes them", async ({ page }) => {
  await openSignedIn(page, "/runs/new?flow=flow_hello");
  await expect(page.getByRole("textbox", { name: /^name/ })).toBeVisible();
  await pressPair(page, "g", "r");
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Search runs" });
  await expect(search).toBeVisible();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Runs", level: 1 }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("a page opened by its address has the focus on its content, and a link skips to it", async ({
  page,
}) => {
  await openSignedIn(page, "/runs/new?flow=flow_hello");
  await expect(page.getByRole("textbox", { name: /^name/ })).toBeVisible();
  const content = page.locator("#content");
  await expect(content).toBeFocused();
  await page.getByText("Skip to content").focus();
  await expect(page.getByText("Skip to content")).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(content).toBeFocused();
});

test("the words beside a button can be reached with the pointer, and Escape hides them", async ({
  page,
  service,
}) => {
  const run = await startRun(service, "flow_hello", { name: "Pointed at" });
  await runEnds(service, run);
  await openSignedIn(page, `/runs/${run}`);
  await page.getByRole("button", { name: "More", exact: true }).hover();
  const words = page.getByRole("tooltip");
  await expect(words).toHaveText("More");
  const box = await words.boundingBox();
  if (!box) throw new Error("The words are not drawn");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 30 });
  await expect(words).toHaveText("More");
  await page.keyboard.press("Escape");
  await expect(words).toHaveCount(0);
});

test("the focus stays on the page where what was pressed is gone: a run that is stopped, a source that is snoozed", async ({
  page,
  service,
}) => {
  const id = await startRun(service, "flow_berth");
  await openSignedIn(page, `/runs/${id}`);
  await page.getByRole("button", { name: "Stop run" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Stop run" }).press("Enter");
  await expectRunState(page, "Stopped");
  await expect(page.getByRole("button", { name: /^Stop/ })).toHaveCount(0);
  await expect(page.locator("#content")).toBeFocused();

  await page.goto("/inbox/source_handbook?kind=source");
  await page.getByRole("button", { name: "Snooze" }).press("Enter");
  await page.getByRole("menuitem", { name: /tomorrow/i }).press("Enter");
  const back = page.getByRole("button", { name: "Unsnooze" });
  await expect(page.locator("footer:focus").filter({ has: back })).toBeVisible();
  await back.press("Enter");
  await expect(
    page.locator("footer:focus").filter({ has: page.getByRole("button", { name: "Snooze", exact: true }) }),
  ).toBeVisible();
});
