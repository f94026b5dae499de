import type { Browser, Page } from "@playwright/test";
import { artifactsOf, writeFiles } from "./artifacts.ts";
import { expectAccessible, expectNoSidewaysScroll, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { kilobytes, scriptsOf } from "./loaded-scripts.ts";
import { keys, type Service } from "./service.ts";

/** A file that Ada's scribe has just written. @returns its id */
async function newFile(service: Service, name: string, content: string): Promise<string> {
  const files = await artifactsOf(service, await writeFiles(service, [{ name, content }]));
  return files.get(name)?.id ?? "";
}

/** Another person's browser, which shares nothing with the first. What breaks in its pages is kept in `problems`. */
async function otherBrowser(browser: Browser, service: Service) {
  const context = await browser.newContext({ baseURL: service.url });
  const page = await context.newPage();
  const problems: string[] = [];
  const asked: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    asked.push(request.url());
    if (request.headers().authorization !== undefined) problems.push(`a key went to ${request.url()}`);
  });
  return { context, page, problems, asked };
}

async function openDialog(page: Page, artifactId: string): Promise<void> {
  await page.goto(`/artifacts/${artifactId}`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByRole("region", { name: "Who will have access" })).toBeVisible();
}

/** What a signed link answers, asked as anybody would. */
const statusOf = async (url: string) => (await fetch(url)).status;

test("one person shares, the other opens; one revokes, the other finds nothing and the old link is dead", async ({
  page,
  browser,
  service,
}) => {
  const id = await newFile(service, "berths.md", "# Berths\n\nNumber seven is free.");
  await signInByKey(page);
  await openDialog(page, id);
  const field = page.getByRole("combobox", { name: "People by e-mail, or a team" });
  await field.fill("grace@example.com");
  await field.press("Enter");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("region", { name: "Who will have access" })).toContainText(
    "2 people have access",
  );
  await expectAccessible(page);
  await page.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(page.getByText(/This service sends no e-mail/)).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();

  const other = await otherBrowser(browser, service);
  await signInByKey(other.page, { key: keys.grace, user: "user_grace" });
  await other.page.goto(`/artifacts/${id}`);
  await expect(other.page.getByText("Number seven is free.")).toBeVisible();
  // As a viewer, Grace sees how many there are, and no address of anybody.
  const seen = await service.request("GET", `/artifacts/${id}/access`, undefined, keys.grace);
  expect(await seen.text()).not.toContain("@");
  const list = await service.request("GET", "/artifacts?search_query=berths.md", undefined, keys.grace);
  const { artifacts }: { artifacts: { id: string; url: string }[] } = await list.json();
  const link = artifacts.find((one) => one.id === id)?.url ?? "";
  expect(await statusOf(link)).toBe(200);

  await page.goto("/artifacts/shared");
  await page.getByRole("button", { name: "Stop sharing berths.md" }).click();
  await page.getByRole("button", { name: "Remove 1" }).click();
  await expect(page.getByText("1 of 1 no longer shared")).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Stop sharing berths.md" })).toHaveCount(0);

  expect((await service.request("GET", `/artifacts/${id}/access`, undefined, keys.grace)).status).toBe(404);
  expect(await statusOf(link)).toBeGreaterThanOrEqual(400);
  // One poll, and the page that stood there says what became of it.
  const gone = other.page.getByText(/no longer shared with you/);
  await expect(async () => {
    // The page's own read of each minute may come first.
    if (!(await gone.isVisible())) {
      await other.page.getByRole("button", { name: /checked .* ago/ }).click({ timeout: 5_000 });
      await other.page.getByRole("button", { name: "Refresh" }).click({ timeout: 5_000 });
    }
    await expect(gone).toBeVisible();
  }).toPass({ timeout: 60_000 });
  await expect(other.page.getByText("Number seven is free.")).toHaveCount(0);
  expect(other.problems.filter((problem) => !problem.startsWith("a key went to"))).toEqual([]);
  await other.context.close();
});

test("a stranger opens a link with its password alone, and nothing else of the service; switched off, it opens nothing", async ({
  page,
  browser,
  service,
}) => {
  const id = await newFile(service, "tides.csv", "day,high\nMonday,03:12\nTuesday,04:01\n");
  await signInByKey(page);
  await openDialog(page, id);
  await page.getByRole("group", { name: "Who can use the link" }).getByText("With password").click();
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Apply 1 change" }).click();
  const address = await page.getByText(/^http\S+\/shared\//).textContent();
  await page.getByRole("button", { name: "Done" }).click();

  const stranger = await otherBrowser(browser, service);
  const scripts = await scriptsOf(stranger.page, address ?? "", "gzip", () =>
    stranger.page.getByRole("heading", { name: "A file was shared with you" }).waitFor(),
  );
  expect(kilobytes(scripts), JSON.stringify(scripts)).toBeLessThanOrEqual(120);
  await expect(stranger.page.getByText("tides.csv")).toHaveCount(0);
  await stranger.page.getByLabel("Password", { exact: true }).fill("not the right one");
  await stranger.page.getByRole("button", { name: "Open" }).click();
  await expect(stranger.page.getByText("Wrong password. Check upper and lower case.")).toBeVisible();
  await expectAccessible(stranger.page);
  await stranger.page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await stranger.page.getByRole("button", { name: "Open" }).click();
  await expect(stranger.page.getByRole("heading", { name: "tides.csv" })).toBeVisible();
  await expect(stranger.page.getByText("04:01")).toBeVisible();
  await expectAccessible(stranger.page);
  await stranger.page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(stranger.page);
  const downloading = stranger.page.waitForEvent("download");
  await stranger.page.getByRole("button", { name: "Download" }).click();
  expect((await downloading).suggestedFilename()).toBe("tides.csv");

  const token = new URL(address ?? "").pathname.split("/").at(-1);
  const beyond = stranger.asked
    .map((url) => new URL(url).pathname)
    .filter((path) => !/^\/(shared|assets|fonts)\/|^\/icon\.svg$|^\/api\/v1\/files\//.test(path))
    .filter((path) => path !== `/api/v1/shared/${token}`);
  expect(beyond).toEqual([]);
  const kept = await stranger.page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)]);
  expect(kept).toEqual([[], []]);
  expect(await stranger.page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  // What the page may read by its token, it may not ask for otherwise.
  for (const path of [`/artifacts/${id}/access`, "/artifacts", "/agents", "/runs"]) {
    expect(await statusOf(`${service.url}/api/v1${path}`), path).toBe(401);
  }

  await openDialog(page, id);
  await page.getByRole("group", { name: "Who can use the link" }).getByText("Off").click();
  await page.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(page.getByText("Link turned off")).toBeVisible();
  await stranger.page.getByRole("button", { name: "Download" }).click();
  await expect(stranger.page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  const old = stranger.asked.filter((url) => url.includes("/api/v1/files/")).at(-1) ?? "";
  expect(old).not.toBe("");
  expect(await statusOf(old)).toBeGreaterThanOrEqual(400);
  expect(stranger.problems).toEqual([]);
  await stranger.context.close();
});

test("a long name without a space is not cut off in the sentence that says who has access", async ({
  page,
  service,
}) => {
  const id = await newFile(service, "names.md", "# Names");
  const person = { email: "long@example.com", name: "A".repeat(150), role: "editor" };
  await page.route(`**/api/v1/artifacts/${id}/access*`, async (route) => {
    const response = await route.fetch();
    const { access }: { access: { people: object[] } } = await response.json();
    await route.fulfill({ response, json: { access: { ...access, people: [...access.people, person] } } });
  });
  await signInByKey(page);
  await openDialog(page, id);
  const sentence = page.getByRole("region", { name: "Who will have access" });
  await expect(sentence).toContainText(person.name);
  expect(await sentence.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});
