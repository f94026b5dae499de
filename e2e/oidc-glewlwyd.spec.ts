import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Page, test as playwrightTest } from "@playwright/test";
import pg from "pg";
import { connectionTo } from "../src/service/store/embedded/server.ts";
import { freePort } from "../src/testing/free-port.ts";
import { expectSignedIn } from "./console.ts";
import { type Glewlwyd, obtainGlewlwyd, startGlewlwyd } from "./glewlwyd.ts";
import { Service } from "./service.ts";

const { expect } = playwrightTest;
const root = resolve(import.meta.dirname, "..");
const client = { id: "wheelhouse", secret: "a-secret-of-the-browser-tests" };
const zoe = {
  ...{ username: "zoe", password: "anything-of-zoe", name: "Zoe Test", email: "zoe@example.org" },
  groups: ["crew", "visitors"],
};

interface World {
  readonly service: Service;
  readonly provider: Glewlwyd;
  /** As if so many minutes had gone by since the groups were asked for last. */
  passed(minutes: number): Promise<void>;
}

/** A service whose people sign in with a provider in C that shares no code with `oidc-provider`. */
const test = playwrightTest.extend<object, { readonly world: World | string }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const missing = obtainGlewlwyd();
      if (missing !== null) return await use(missing);
      const port = await freePort();
      const provider = await startGlewlwyd({ ...client, url: `http://localhost:${port}` });
      const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-glewlwyd-"));
      cpSync(join(root, "workspace"), workspace, { recursive: true });
      const file = join(workspace, "wheelhouse.yaml");
      writeFileSync(file, `${readFileSync(file, "utf8")}\n${signIn(provider.issuer)}`);
      const service = await Service.start({
        port,
        flags: ["--workspace", workspace],
        environment: { WHEELHOUSE_OIDC_SECRET: client.secret },
      });
      const passed = async (minutes: number) => {
        const database = new pg.Client(databaseOf(service));
        await database.connect();
        await database.query(
          `update oidc_identities set checked_at = checked_at - $1::interval, check_from = check_from - $1::interval,
                  check_by = check_by - $1::interval, is_in = is_in`,
          [`${minutes} minutes`],
        );
        await database.end();
      };
      await use({ service, provider, passed });
      await service.stop();
      await provider.stop();
      rmSync(workspace, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  baseURL: async ({ world }, use) => use(typeof world === "string" ? undefined : world.service.url),
});

/** The embedded database of a service: its process says where it listens. */
function databaseOf({ data }: Service) {
  const place = { data: join(data, "postgres", "data"), socket: "", log: "", home: "" };
  const socket = readFileSync(join(place.data, "postmaster.pid"), "utf8").split("\n")[4] ?? "";
  return connectionTo({ ...place, socket });
}

/** Whether the provider was asked for groups within the last minute. */
async function isFresh(service: Service): Promise<boolean> {
  const database = new pg.Client(databaseOf(service));
  await database.connect();
  const { rows } = await database.query<{ fresh: boolean }>(
    "select bool_and(checked_at > now() - interval '1 minute') as fresh from oidc_identities",
  );
  await database.end();
  return rows[0]?.fresh ?? false;
}

const signIn = (issuer: string) => `sign_in:
  name: Harbor ID
  issuer: ${issuer}
  client_id: ${client.id}
  client_secret: \${WHEELHOUSE_OIDC_SECRET}
  scopes: [openid]
  trust_email: true
  groups:
    crew: { teams: { team_harbor: editor } }
    owners: { role: admin }
`;

/** @throws what skips the test, where the provider may not be installed */
function present(world: World | string): World {
  // Only where the machine may not install the provider: the sentence says why nothing was shown.
  test.skip(typeof world === "string", String(world));
  if (typeof world === "string") throw new Error(world);
  return world;
}

async function begin(page: Page, at: string) {
  await page.goto(at);
  await page.getByRole("link", { name: "Sign in with Harbor ID" }).click();
}

/** On the provider's own pages, which know whoever signed in there before. */
async function signInThere(page: Page, { username, password }: typeof zoe) {
  await page.locator("#username").fill(username);
  await page.locator("#password").fill(password);
  await page.locator("#password").press("Enter");
  await goOnThere(page);
}

async function goOnThere(page: Page) {
  await page.getByRole("button", { name: "Continue" }).click();
}

/** The access token that the console of this page sends. */
async function tokenOf(page: Page): Promise<string> {
  const asked = page.waitForRequest((request) => request.headers().authorization !== undefined);
  await page.reload();
  return ((await asked).headers().authorization ?? "").replace("Bearer ", "");
}

test.describe("with Glewlwyd", { tag: "@long" }, () => {
  test("a person has what their groups give, also after a refresh, and loses it with the group", async ({
    page,
    world,
  }) => {
    const { service, provider, passed } = present(world);
    await provider.account(zoe);
    await begin(page, "/mcp?server=none");
    await signInThere(page, zoe);
    await expectSignedIn(page);
    await expect(page).toHaveURL(/\/mcp\?server=none$/);
    const sidebar = page.getByRole("complementary", { name: "Sidebar" });
    await expect(sidebar.getByText("Zoe Test", { exact: true })).toBeVisible();
    const token = await tokenOf(page);
    const teams = async () => {
      const answer = await service.request("GET", "/teams", undefined, token);
      const { teams: found }: { teams?: readonly { readonly id: string }[] } = await answer.json();
      return [answer.status, ...(found ?? []).map(({ id }) => id)];
    };
    expect(await teams()).toEqual([200, "team_harbor"]);
    // Its refresh tokens work once: each refresh goes on with the one that the last one brought.
    for (let refresh = 0; refresh < 2; refresh++) {
      await passed(16);
      expect(await teams()).toEqual([200, "team_harbor"]);
      expect(await isFresh(service)).toBe(true);
    }
    await provider.account({ ...zoe, groups: ["visitors"] });
    expect(await teams()).toEqual([200, "team_harbor"]);
    await passed(16);
    expect(await teams()).toEqual([401]);
    await page.goto("/runs");
    await expect(page.getByRole("heading", { name: "Sign in" }).or(page.getByRole("dialog"))).toBeVisible();
  });

  test("whoever is in no mapped group stays out, comes in with one, and signs out", async ({
    page,
    world,
  }) => {
    const { provider } = present(world);
    await provider.account({ ...zoe, groups: ["visitors", "<b>guests"] });
    await begin(page, "/inbox");
    await signInThere(page, zoe);
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("You can’t use Wheelhouse yet");
    await expect(alert).toContainText("visitors");
    await expect(alert).toContainText("<b>guests");
    await provider.account({ ...zoe, groups: ["owners"] });
    await begin(page, "/inbox");
    await goOnThere(page);
    await expectSignedIn(page);
    const token = await tokenOf(page);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitem", { name: "Sign out in all tabs" }).click();
    // There it is asked whether the session shall end; here it is over. It has taken the address to come back to, and stays on its
    // own page all the same.
    await expect(page).toHaveURL(/\/login\.html\?.*prompt=end_session/);
    expect(new URL(page.url()).searchParams.get("callback_url")).toBe(
      `${present(world).service.url}/sign-in`,
    );
    // Its page is empty until its script has drawn it.
    await expect(page.getByRole("heading", { name: "End session" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Logout" }).first()).toBeVisible();
    const { service } = present(world);
    expect((await service.request("GET", "/teams", undefined, token)).status).toBe(401);
    await page.goto("/inbox");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });
});
