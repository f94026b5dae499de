import type { Route } from "@playwright/test";
import { pollHeader } from "../src/console/api/request.ts";
import { expectSignedIn, fillSignIn, signInByLink, signInOnPage } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { keys } from "./service.ts";

test("the link that the start prints signs in, and is gone from the address", async ({ page, service }) => {
  await signInByLink(page, service);
  expect(page.url()).not.toContain("sign-in=");
});

test("a sign-in link works once; the second use is refused in words", async ({ page, context, service }) => {
  const link = await service.freshSignInLink();
  await page.goto(link);
  await expectSignedIn(page);
  const other = await context.browser()?.newPage();
  if (other === undefined) throw new Error("no browser");
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(other.getByText(/link/i).first()).toBeVisible();
  await expect(other.getByText(/once|used|no longer/i).first()).toBeVisible();
  await other.close();
});

test("a link from the command line signs its person in, and nobody gets one for a stranger", async ({
  page,
  service,
}) => {
  const port = new URL(service.url).port;
  const printed = await service.command("sign-in-link", "--person", "user_grace", "--port", port);
  await page.goto(/http\S+#sign-in=\S+/.exec(printed)?.[0] ?? printed);
  await expectSignedIn(page);
  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  await expect(sidebar.getByText(/^Grace /)).toBeVisible();
  expect(await service.command("sign-in-link", "--person", "user_nobody")).toContain(
    "There is no person with the id user_nobody.",
  );
});

test("a personal key signs in as its person", async ({ page }) => {
  await signInOnPage(page);
  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  await expect(sidebar.getByText("Ada Sample", { exact: true })).toBeVisible();
  await expect(sidebar.getByText(/^No team · /)).toBeVisible();
});

test("a team key signs in for a member", async ({ page }) => {
  await signInOnPage(page, { kind: "Team key", key: keys.harbor, user: "user_grace" });
  await expect(
    page.getByRole("complementary", { name: "Sidebar" }).getByText(/^Harbor \(sample\) · /),
  ).toBeVisible();
});

test("a wrong key is refused where it was typed, and nobody is signed in", async ({ page }) => {
  await page.goto("/sign-in");
  await fillSignIn(page, { key: "wh_not_a_key_of_anybody_0000" });
  await expect(page.getByText(/does not know this key/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toHaveCount(0);
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a right key with somebody else's user id says whose mistake it is", async ({ page }) => {
  await page.goto("/sign-in");
  await fillSignIn(page, { user: "user_grace" });
  await expect(page.getByText(/can’t act for user_grace/)).toBeVisible();
});

test("a page that needs a sign-in comes back after it", async ({ page }) => {
  await page.goto("/runs/new?flow=flow_hello");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await fillSignIn(page);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Say hello" })).toBeVisible();
});

test("a reload stays signed in, and signing out in one tab signs out the other", async ({
  page,
  context,
}) => {
  await signInOnPage(page);
  await page.reload();
  await expectSignedIn(page);

  const second = await context.newPage();
  await second.goto("/runs");
  await expectSignedIn(second);
  await second.getByRole("button", { name: "Settings" }).click();
  await second.getByRole("menuitem", { name: /Sign out/ }).click();
  await expect(second.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText(/signed out in another tab/)).toBeVisible();
});

test("a sign-in page that is opened beside a tab that has signed in goes on by itself", async ({
  page,
  context,
}) => {
  await signInOnPage(page);
  const second = await context.newPage();
  await second.goto("/sign-in?next=%2Fruns");
  await expectSignedIn(second);
  await expect(second.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
});

test("a key that is revoked meanwhile asks for another one over the page, which stays as it was", async ({
  page,
  service,
}) => {
  const key = await service.keys("create", "--person", "user_ada", "--name", "to be revoked");
  await signInOnPage(page, { key });
  await page.goto("/runs/new?flow=flow_hello");
  await page.getByRole("textbox", { name: /^name/ }).fill("typed before");

  const list = await service.keys("list");
  const id = list
    .split("\n")
    .find((line) => line.includes("to be revoked"))
    ?.split(/\s+/)[0];
  if (id === undefined) throw new Error(`no id in:\n${list}`);
  // What the page reads by itself waits: the start is the first that is refused.
  const held: Route[] = [];
  let isHeld = true;
  await page.route("**/api/v1/**", (route) => {
    const isPoll = route.request().headers()[pollHeader] !== undefined;
    if (isHeld && isPoll) held.push(route);
    else return route.continue();
  });
  await service.keys("revoke", id);
  await page.getByRole("button", { name: "Start run" }).click();

  const dialog = page.getByRole("dialog", { name: /no longer accepted/ });
  await expect(dialog).toBeVisible();
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  await dialog.getByLabel(/^Key for/).fill(keys.ada);
  await dialog.getByRole("button", { name: "Sign in and continue" }).click();
  await expect(dialog).toBeHidden();
  // What was sent while the key was refused goes on with the new one, or what was typed is still there to send.
  await expect(
    page.getByRole("textbox", { name: /^name/ }).or(page.getByText("typed before").first()).first(),
  ).toBeVisible();
});
