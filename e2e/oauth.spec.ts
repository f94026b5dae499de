import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GumloopClient } from "gumloop";
import * as openid from "openid-client";
import {
  expectAccessible,
  expectFitsEverywhere,
  expectSignedIn,
  openSignedIn,
  signInByKey,
} from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { keys, type Service } from "./service.ts";

/** A program on the person's own device: it listens on a port that it happens to have, and knows nothing of the service but its address. */
async function startProgram(service: Service, scope: string) {
  const name = `Reporter ${Math.random().toString(36).slice(2, 8)}`;
  const made: { program: { id: string } } = await (
    await service.request("POST", "/admin/programs", { name, redirect_uris: ["http://127.0.0.1/callback"] })
  ).json();
  const server = createServer(({ url }, response) => {
    const framed = new URL(url ?? "/", "http://program").searchParams.get("frame");
    response.setHeader("content-type", "text/html");
    response.end(framed === null ? "You can close this page." : `<iframe src="${framed}"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}/callback`;
  const config = await openid.discovery(new URL(service.url), made.program.id, undefined, openid.None(), {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const address = openid.buildAuthorizationUrl(config, {
    ...{ redirect_uri: redirectUri, scope, state: expectedState, code_challenge_method: "S256" },
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  }).href;
  const exchange = (came: string) =>
    openid.authorizationCodeGrant(config, new URL(came), { pkceCodeVerifier, expectedState });
  return { name, config, address, origin, redirectUri, exchange, close: () => server.close() };
}

const status = async (service: Service, token: string) =>
  (await fetch(`${service.url}/api/v1/agents`, { headers: { authorization: `Bearer ${token}` } })).status;

test("a program is let in, calls with its token, loses all by a second refresh, and is ended in the console", async ({
  page,
  service,
  watched,
}) => {
  const program = await startProgram(service, "read run");
  watched.allow(`foreign request: ${program.origin}`);
  // Not signed in: the sign-in comes first, and then the question.
  await page.goto(program.address);
  await page.getByLabel("Key", { exact: true }).fill(keys.ada);
  await page.getByLabel("User id").fill("user_ada");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expectSignedIn(page);
  await expect(page.getByRole("heading", { name: `Allow ${program.name} to act for you?` })).toBeVisible();
  await expect(page.getByText("this device")).toBeVisible();
  await page.getByRole("button", { name: "Allow access" }).click();
  await page.waitForURL(`${program.redirectUri}*`);
  const tokens = await program.exchange(page.url());
  expect(tokens).toMatchObject({ expires_in: 3600, scope: "read run" });

  // The public client works with the token as with a key.
  const client = new GumloopClient({ apiKey: tokens.access_token, userId: "user_ada" });
  Object.assign(Reflect.get(client, "api").defaults, { baseURL: `${service.url}/api/v1` });
  const outputs = await client.runFlow("flow_hello", { name: "Program" }, 50, 120_000);
  expect(outputs).toEqual({ greeting: expect.stringContaining("Program") });

  // A refresh token works once; used again, everything of its family ends.
  const first = tokens.refresh_token ?? "";
  const renewed = await openid.refreshTokenGrant(program.config, first);
  expect(await status(service, renewed.access_token)).toBe(200);
  await expect(openid.refreshTokenGrant(program.config, first)).rejects.toThrow();
  expect(await status(service, renewed.access_token)).toBe(401);

  // The same browser asks again, and the person ends it where they see it.
  await page.goto(program.address);
  await page.getByRole("button", { name: "Allow access" }).click();
  await page.waitForURL(`${program.redirectUri}*`);
  const again = await program.exchange(page.url());
  await page.goto(`${service.url}/admin?tab=connected`);
  await page.getByRole("button", { name: `End access of ${program.name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End access" }).click();
  // Behind the question the row is hidden anyway.
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: `End access of ${program.name}` })).toBeHidden();
  expect(await status(service, again.access_token)).toBe(401);
  program.close();
});

test("the question is answered by keyboard alone, with one thing less, on a phone too, in both themes", async ({
  page,
  service,
  watched,
}) => {
  const program = await startProgram(service, "read run write");
  watched.allow(`foreign request: ${program.origin}`);
  await openSignedIn(page, program.address);
  const heading = page.getByRole("heading", { name: `Allow ${program.name} to act for you?` });
  await expectFitsEverywhere(page, () => expect(heading).toBeVisible());
  // From the heading on: each box is reached, and one is taken out.
  const boxes = page.getByRole("checkbox");
  await expect(boxes).toHaveCount(3);
  await boxes.first().focus();
  for (const at of [1, 2]) {
    await page.keyboard.press("Tab");
    await expect(boxes.nth(at)).toBeFocused();
  }
  await page.keyboard.press("Space");
  await expect(boxes.nth(2)).not.toBeChecked();
  const allow = page.getByRole("button", { name: "Allow access" });
  // Past the link to the connected programs.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(allow).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${program.redirectUri}*`);
  const tokens = await program.exchange(page.url());
  expect(tokens.scope).toBe("read run");
  program.close();
});

test("programs are registered, looked up in the log and removed by keyboard, on a phone too, in both themes", async ({
  page,
  service,
}) => {
  const name = `Keyed ${Math.random().toString(36).slice(2, 8)}`;
  await openSignedIn(page, `${service.url}/admin?tab=programs`);
  const register = page.getByRole("button", { name: "Register program" }).first();
  await register.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.keyboard.press("Tab");
  await page.keyboard.type("http://127.0.0.1/callback");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Register program" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Done" }).focus();
  await page.keyboard.press("Enter");
  const history = page.getByRole("link", { name: `Audit log of ${name}` });
  await expectFitsEverywhere(page, () => expect(history).toBeVisible());
  await history.focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: `Remove ${name}` })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Remove program" }).focus();
  await page.keyboard.press("Enter");
  await expect(history).toBeHidden();
});

test("a program that is refused hears so", async ({ page, service, watched }) => {
  const program = await startProgram(service, "write");
  watched.allow(`foreign request: ${program.origin}`);
  await openSignedIn(page, program.address);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.waitForURL(`${program.redirectUri}*`);
  await expect(program.exchange(page.url())).rejects.toMatchObject({ error: "access_denied" });
  program.close();
});

test("S-168: no page frames the question of a program", async ({ page, service, watched }) => {
  const program = await startProgram(service, "write");
  watched.allow(`foreign request: ${program.origin}`);
  await signInByKey(page);
  const sent = await page.goto(program.address);
  await expect(page.getByRole("button", { name: "Allow access" })).toBeVisible();
  expect(sent?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  watched.allow("frame-ancestors");
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(`${program.origin}/?${new URLSearchParams({ frame: page.url() })}`);
  expect((await refused).type()).toBe("error");
  program.close();
});
