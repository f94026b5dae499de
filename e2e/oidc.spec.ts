import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { freePort } from "../src/testing/free-port.ts";
import { expectFitsEverywhere, expectSignedIn } from "./console.ts";
import { test as base, expect } from "./fixtures.ts";
import { Service } from "./service.ts";

const root = resolve(import.meta.dirname, "..");

interface World {
  readonly service: Service;
  readonly issuer: string;
  stopProvider(): void;
}

/** A service whose people sign in with `oidc-provider`, which shares no code with what the service has for it. */
const test = base.extend<object, { readonly world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const [port, providerPort] = [await freePort(), await freePort()];
      const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-oidc-"));
      cpSync(join(root, "workspace"), workspace, { recursive: true });
      const file = join(workspace, "wheelhouse.yaml");
      writeFileSync(file, `${readFileSync(file, "utf8")}\n${settings(providerPort)}`);
      const provider = spawn(
        process.execPath,
        [
          "--import",
          "tsx",
          join(import.meta.dirname, "identity-provider.ts"),
          `${providerPort}`,
          `http://localhost:${port}`,
        ],
        { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
      );
      await listens(provider);
      const service = await Service.start({
        port,
        flags: ["--workspace", workspace],
        environment: { WHEELHOUSE_OIDC_SECRET: "a-secret-of-the-browser-tests" },
      });
      const issuer = `http://localhost:${providerPort}`;
      await use({ service, issuer, stopProvider: () => void provider.kill() });
      await service.stop();
      provider.kill();
      rmSync(workspace, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  service: [async ({ world }, use) => use(world.service), { scope: "worker" }],
});

// Its pages, which people are sent to, and a font that they name.
test.beforeEach(async ({ context, watched, world }) => {
  watched.allow(`foreign request: ${world.issuer}`);
  const fonts = "https://fonts.googleapis.com/";
  watched.allow(`foreign request: ${fonts}`);
  await context.route(`${fonts}**`, (route) => route.fulfill({ contentType: "text/css", body: "" }));
});

const settings = (port: number) => `sign_in:
  name: Acme
  issuer: http://localhost:${port}
  client_id: wheelhouse
  client_secret: \${WHEELHOUSE_OIDC_SECRET}
  scopes: [openid, email, profile, groups, offline_access]
  prompt: consent
  groups:
    crew: { teams: { team_harbor: editor } }
    owners: { role: admin }
`;

async function listens(provider: ChildProcess): Promise<void> {
  if (provider.stdout === null) throw new Error("the provider has no output");
  await Promise.race([
    once(provider.stdout, "data"),
    once(provider, "exit").then(([code]) => Promise.reject(new Error(`the provider ended with ${code}`))),
  ]);
}

/** On the provider's own pages. */
async function signInThere(page: Page, who: string) {
  await page.getByRole("textbox", { name: /login/i }).fill(who);
  await page.getByRole("textbox", { name: /password/i }).fill("anything");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("a person comes in with the identity provider, to the page that was asked for, and out again", async ({
  page,
}) => {
  await page.goto("/mcp?server=none");
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await signInThere(page, "zoe+crew.visitors");
  await expectSignedIn(page);
  await expect(page).toHaveURL(/\/mcp\?server=none$/);
  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  await expect(sidebar.getByText("zoe Test", { exact: true })).toBeVisible();
  expect(await page.context().cookies(page.url())).not.toContainEqual(
    expect.objectContaining({ name: expect.stringContaining("wheelhouse_oidc") }),
  );
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out in all tabs" }).click();
  await page.getByRole("button", { name: /sign me out/i }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByRole("link", { name: "Sign in with Acme" })).toBeVisible();
});

test("whoever is in no mapped group hears which groups came, and is not in", async ({ page }) => {
  await page.goto("/inbox");
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await signInThere(page, "vera+visitors.<b>guests");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("You can’t use Wheelhouse yet");
  await expect(alert).toContainText("visitors");
  await expect(alert).toContainText("<b>guests");
  expect(page.url()).not.toContain("#");
  await expectFitsEverywhere(page, () => expect(alert).toBeVisible());
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("whoever cancels there hears so", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await page.getByRole("link", { name: /cancel/i }).click();
  await expect(page.getByRole("alert").or(page.getByText("Sign-in cancelled")).first()).toBeVisible();
  await expect(page.getByText("The sign-in was cancelled at Acme. Nothing was changed here.")).toBeVisible();
});

/** Where a program that an admin has registered sends a browser to ask for access. */
async function addressOfProgram(
  service: Service,
): Promise<{ readonly name: string; readonly address: string }> {
  const name = `Reporter ${Math.random().toString(36).slice(2, 8)}`;
  const redirectUri = "http://127.0.0.1/callback";
  const made: { program: { id: string } } = await (
    await service.request("POST", "/admin/programs", { name, redirect_uris: [redirectUri] })
  ).json();
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: made.program.id, redirect_uri: redirectUri, scope: "read" },
    ...{ state: "a-state-of-the-program", code_challenge_method: "S256", code_challenge: "c".repeat(43) },
  });
  return { name, address: `${service.url}/oauth/authorize?${query}` };
}

test("who has to sign in before they answer a program comes back to its question, also by a link", async ({
  page,
  context,
  service,
}) => {
  const program = await addressOfProgram(service);
  await page.goto(program.address);
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  // Another account than in the test before: an address belongs to one.
  await signInThere(page, "yara+crew");
  await expectSignedIn(page);
  const question = `Allow ${program.name} to act for you?`;
  await expect(page.getByRole("heading", { name: question })).toBeVisible();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out in all tabs" }).click();
  await page.getByRole("button", { name: /sign me out/i }).click();
  await expect(page).toHaveURL(/\/sign-in/);

  await page.goto(program.address);
  await expect(page.getByRole("link", { name: "Sign in with Acme" })).toBeVisible();
  // The link of the command line opens in a tab of its own, and the one that waits goes on.
  const other = await context.newPage();
  await other.goto(await service.freshSignInLink());
  await expectSignedIn(other);
  await expect(page.getByRole("heading", { name: question })).toBeVisible();
});

test("while the provider is down its page says so, and the link of the command line signs in", async ({
  page,
  world: { service, stopProvider },
}) => {
  stopProvider();
  // It was there a moment ago: for ten seconds a browser may still be sent there.
  await expect(async () => {
    await page.goto("/runs");
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await expect(page.getByText("Acme can’t be reached")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("alert")).toContainText("can print a sign-in link");
  await page.goto(await service.freshSignInLink());
  await expectSignedIn(page);
});
