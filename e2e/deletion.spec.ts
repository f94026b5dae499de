import { artifactsOf, writeFiles } from "./artifacts.ts";
import { expectAccessible, openSignedIn } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { keys } from "./service.ts";

test("a deleted artifact's link says at once that it opens nothing, and opens again after an undo", async ({
  page,
  browser,
  service,
}) => {
  const files = await artifactsOf(
    service,
    await writeFiles(service, [{ name: "tides.md", content: "# High at six" }]),
  );
  const id = files.get("tides.md")?.id ?? "";
  const shared = await fetch(`${service.url}/api/v1/artifacts/${id}/access`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${keys.ada}`,
      "x-auth-key": "user_ada",
      "content-type": "application/json",
    },
    body: JSON.stringify({ link: { mode: "anyone" } }),
  });
  const { access }: { access: { link_url: string } } = await shared.json();
  const context = await browser.newContext({ baseURL: service.url });
  const recipient = await context.newPage();
  const opens = async (words: string) => {
    await recipient.goto(new URL(access.link_url).pathname);
    await expect(recipient.getByRole("heading", { name: words })).toBeVisible();
  };
  await opens("tides.md");

  await openSignedIn(page, `/artifacts/${id}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await expect(page.getByText("stop working for everyone")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete artifact" }).click();
  await expect(page.getByText("tides.md deleted").first()).toBeVisible();
  await opens("This link no longer works");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("tides.md restored").first()).toBeVisible();
  await opens("tides.md");
  await context.close();
});
