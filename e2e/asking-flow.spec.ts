import { grace, question } from "./asking.ts";
import { expectAccessible, expectNoSidewaysScroll, openSignedIn, setTheme, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import type { Service } from "./service.ts";

/** A run of the sample's flow for Ada's team, which asks whoever operates it. */
async function askingRun(service: Service, ship: string): Promise<{ run: string; question: string }> {
  const address = "/start_pipeline?saved_item_id=flow_berth&user_id=user_ada&project_id=team_harbor";
  const started = await service.request("POST", address, { ship });
  expect(started.status, await started.clone().text()).toBe(200);
  const { run_id: run }: { run_id: string } = await started.json();
  let question = "";
  await expect
    .poll(async () => {
      const read = await service.request("GET", "/inbox?state=waiting");
      const list: { items: { id: string; run: { run_id: string } | null }[] } = await read.json();
      question = list.items.find((item) => item.run?.run_id === run)?.id ?? "";
      return question;
    })
    .not.toBe("");
  return { run, question };
}

test("a run asks a team: whoever fills in the form first decides, the other is told, and the run goes on", async ({
  page,
  browser,
  service,
}) => {
  const { run, question: id } = await askingRun(service, "Aurora");
  await openSignedIn(page, `/runs/${run}`);
  const banner = page.getByRole("status").filter({ hasText: "Waiting for approval" });
  await banner.getByRole("link", { name: "Which berth does Aurora get?" }).click();
  await page.waitForURL(`**/inbox/${id}`);
  const mine = question(page);
  await expect(mine.getByText("Aurora is 42 m long")).toBeVisible();

  const other = await grace(browser, service);
  await other.goto(`/inbox/${id}`);
  const hers = question(other);
  await hers.getByRole("combobox", { name: "Berth" }).selectOption("South pier");
  // Her page does not hear of the answer before she gives hers.
  const read = `**/api/v1/inbox/${id}`;
  await other.route(read, (route) => route.abort());

  // Nothing is sent before the form is filled in as it asks.
  await mine.getByRole("textbox", { name: "Length in metres" }).fill("90");
  await mine.getByRole("button", { name: "Approve" }).click();
  await expect(mine.getByRole("combobox", { name: "Berth" })).toBeFocused();
  await mine.getByRole("combobox", { name: "Berth" }).selectOption("North pier");
  await mine.getByRole("button", { name: "Approve" }).click();
  await expect(mine.getByRole("textbox", { name: "Length in metres" })).toBeFocused();
  await mine.getByRole("textbox", { name: "Length in metres" }).fill("42");
  await mine.getByRole("textbox", { name: "Note" }).fill("Mind the crane.");
  await mine.getByRole("button", { name: "Approve" }).click();
  await expect(mine.getByText("Approved by you").first()).toBeVisible();

  await hers.getByRole("button", { name: "Approve" }).click();
  await expect(hers.getByText(/^Ada Sample answered first/)).toBeVisible();
  await other.unroute(read);
  await expect(hers.getByText("Approved by Ada Sample").first()).toBeVisible();
  await other.context().close();

  await page.goto(`/runs/${run}`);
  await expect(page.getByText("Aurora goes to the North pier. Mind the crane.").first()).toBeVisible();
});

test("a flow's question is refused with one thumb, in both themes, and its run takes the other branch", async ({
  page,
  service,
}) => {
  const { run, question: id } = await askingRun(service, "Nordlys");
  await signInByKey(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/inbox/${id}`);
  await expect(question(page).getByRole("button", { name: "Approve" })).toBeInViewport();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await setTheme(page, "dark");
  await expectAccessible(page, "colours");
  await question(page).getByRole("button", { name: "Refuse…" }).click();
  await question(page).getByRole("textbox", { name: "Reason" }).fill("The pier is closed.");
  await question(page).getByRole("button", { name: "Refuse", exact: true }).click();
  await expect(
    question(page)
      .getByText(/^Refused/)
      .first(),
  ).toBeVisible();
  await page.goto(`/runs/${run}`);
  await page.getByRole("link", { name: "Outputs" }).click();
  await expect(page.getByText("No berth for Nordlys: The pier is closed.").first()).toBeVisible();
});
