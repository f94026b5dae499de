import {
  expectAccessible,
  expectInLog,
  expectRunState,
  expectValue,
  row,
  signInByKey,
  startFlow,
} from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { readRun, runEnds, startRun } from "./runs.ts";

test.beforeEach(async ({ page }) => signInByKey(page));

test("somebody starts a flow with a name, watches its log arrive and reads its output", async ({ page }) => {
  await startFlow(page, "flow_hello", { name: "Marguerite" });
  await expect(page.getByRole("heading", { name: "Say hello" }).first()).toBeVisible();
  await expectInLog(page, /started/);
  await expectRunState(page, "Done");
  await expectInLog(page, /finished/);
  await expectValue(page, /Marguerite/);
  await expect(page).toHaveTitle(/done · Say hello/i);
});

test("a run's address shows the same run after a reload and in another tab", async ({ page, context }) => {
  const id = await startFlow(page, "flow_hello", { name: "Deep Link" });
  await expectRunState(page, "Done");
  await page.reload();
  await expectRunState(page, "Done");
  await expectValue(page, /Deep Link/);

  const other = await context.newPage();
  await other.goto(`/runs/${id}?line=2`);
  await expectRunState(other, "Done");
  await expect(other.getByRole("button", { name: "Link to line 2", exact: true })).toBeVisible();
});

test("a run is kept from its menu, and its mark leads to what is deleted after which time", async ({
  page,
}) => {
  const id = await startFlow(page, "flow_hello", { name: "Keepsake" });
  await expectRunState(page, "Done");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Keep this run" }).click();
  await expect(page.getByRole("link", { name: "Kept", exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole("link", { name: "Kept", exact: true }).click();
  await expect(page).toHaveURL(/\/retention$/);
  await expect(page.getByRole("heading", { name: "Retention", exact: true }).first()).toBeVisible();
  await page.goto(`/runs/${id}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Stop keeping" }).click();
  await expect(page.getByRole("link", { name: "Kept", exact: true })).toHaveCount(0);
});

test("the list shows a run that was started elsewhere, and opens it", async ({ page, service }) => {
  const id = await startRun(service, "flow_hello", { name: "From elsewhere" });
  await runEnds(service, id);
  await page.goto("/runs");
  await row(page, "From elsewhere").getByRole("link", { name: "Say hello" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${id}`));
  await expectRunState(page, "Done");
});

test("filters of the list stand in the address and hold over a reload", async ({ page, service }) => {
  await runEnds(service, await startRun(service, "flow_broken"));
  await runEnds(service, await startRun(service, "flow_hello", { name: "Unbroken" }));
  await page.goto("/runs?state=FAILED");
  await expect(row(page, "Fail").first()).toBeVisible();
  await expect(row(page, "Unbroken")).toHaveCount(0);
  await page.reload();
  await expect(row(page, "Fail").first()).toBeVisible();
  await page.goto("/runs");
  await page.getByRole("searchbox", { name: "Search runs" }).fill("Unbroken");
  await expect(page).toHaveURL(/q=Unbroken/);
  await expect(row(page, "Unbroken").first()).toBeVisible();
});

test("a failed run names the node that failed and what it said", async ({ page }) => {
  await startFlow(page, "flow_broken");
  await expectRunState(page, "Failed");
  await expectInLog(page, /only 7 of 12 anchors/);
});

test("a long run is killed after a question, and says so until the service does", async ({
  page,
  service,
}) => {
  const id = await startFlow(page, "flow_long");
  await expectRunState(page, "Running");
  await expectInLog(page, /./);
  await page.getByRole("button", { name: "Stop run" }).click();
  const question = page.getByRole("dialog");
  await expect(question).toContainText(/stops/);
  await question.getByRole("button", { name: "Stop run" }).click();
  await expectRunState(page, "Stopped");
  await expect(page.getByRole("button", { name: "Stop run" })).toHaveCount(0);
  expect((await readRun(service, id)).state).toBe("TERMINATED");
});

test("several runs are killed by one act, and each says what became of it", async ({ page, service }) => {
  const ids = [await startRun(service, "flow_long"), await startRun(service, "flow_long")];
  await page.goto("/runs?view=moving");
  const selected = page.getByRole("region", { name: "Selected runs" });
  await page.getByRole("heading", { level: 1, name: "Runs" }).hover();
  for (const id of ids) await page.getByRole("checkbox", { name: new RegExp(`, ${id}$`) }).check();
  await expect(selected).toContainText("2 running runs selected");
  await expectAccessible(page);
  await selected.getByRole("button", { name: "Stop 2 runs…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop 2 runs" }).click();
  const results = page.getByRole("region", { name: "Stop 2 runs" });
  await expect(results).toContainText("2 of 2 asked to stop");
  await expectAccessible(page);
  for (const id of ids) expect((await runEnds(service, id)).state).toBe("TERMINATED");
});

test("a double click on the start makes one run", async ({ page, service }) => {
  await page.goto("/runs/new?flow=flow_hello");
  await page.getByRole("textbox", { name: /^name/ }).fill("Only once");
  await page.getByRole("button", { name: "Start run" }).dblclick();
  await page.waitForURL(/\/runs\/(?!new)[^/?]+/);
  const list = await (await service.request("GET", "/runs?search=Only%20once")).json();
  expect(list.runs).toHaveLength(1);
});

test("a run that does not exist is said in words, with a way on", async ({ page }) => {
  await page.goto("/runs/run_of_nobody");
  await expect(page.getByText("Run not found, or you have no access")).toBeVisible();
  await page.getByRole("link", { name: "All runs" }).click();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
});

test("markup in a name stays text everywhere", async ({ page }) => {
  const hostile = `<img src=x onerror="document.title='owned'"><b>Ada</b>`;
  await startFlow(page, "flow_hello", { name: hostile });
  await expectRunState(page, "Done");
  await expectValue(page, hostile);
  await page.goto("/runs");
  await expect(row(page, hostile).first()).toBeVisible();
  await expect(page.locator("img[src=x], b:has-text('Ada')")).toHaveCount(0);
  expect(await page.title()).not.toContain("owned");
});

test("a page that was open while the service went away finds its way back by itself", async ({
  page,
  service,
  watched,
}) => {
  // Whatever of an answer was under way, and what is asked while it starts.
  watched.allow(/Failed to load resource: (net::ERR_|.*status of 503)/);
  const id = await startFlow(page, "flow_long");
  await expectRunState(page, "Running");
  await service.crash();
  await expect(page.getByText(/Offline|Slowed|could not be|not reached/i).first()).toBeVisible({
    timeout: 60_000,
  });
  await service.startAgain();
  // What only a page that reads again can know.
  await service.request("POST", "/kill_pipeline", { run_id: id, user_id: "user_ada" });
  await expect(async () => expectRunState(page, "Stopped")).toPass({ timeout: 60_000 });
});
