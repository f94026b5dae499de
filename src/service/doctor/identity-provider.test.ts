import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "../../testing/identity-provider.ts";
import { oidcWorkspace } from "../../testing/oidc.ts";
import { examineIdentityProvider } from "./identity-provider.ts";

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-doctor-"));
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
  writeFileSync(join(folder, "wheelhouse.yaml"), oidcWorkspace(provider));
});
afterEach(() => provider.lie({}));
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const examine = (environment: Record<string, string> = { WHEELHOUSE_OIDC_SECRET: provider.secret }) =>
  examineIdentityProvider({ workspaceDirectory: folder, environment });

test("finds a provider that answers in order", async () => {
  expect(await examine()).toEqual([
    expect.objectContaining({
      check: "sign_in",
      state: "ok",
      found: expect.stringContaining("Acme at http"),
    }),
  ]);
});

test("says nothing where the workspace names none", async () => {
  const none = { workspaceDirectory: join(import.meta.dirname, "../../../workspace"), environment: {} };
  expect(await examineIdentityProvider(none)).toEqual([]);
});

test("names the variable that is not set, and never what it holds", async () => {
  const found = await examine({});
  expect(found[0]).toMatchObject({
    state: "problem",
    found: "The variable WHEELHOUSE_OIDC_SECRET is not set",
  });
  expect(JSON.stringify(await examine())).not.toContain(provider.secret);
});

test.each([
  ["answers an error", { status: { of: "metadata", is: 500 } }, /answers 500/],
  ["answers a page", { html: "metadata" }, /has no metadata/],
  [
    "names another issuer",
    { metadata: { issuer: "https://other.example" } },
    /calls itself https:\/\/other\.example/,
  ],
  ["shows no keys", { html: "keys" }, /shows no keys/],
  [
    "leads elsewhere",
    { redirect: { of: "metadata", to: "http://127.0.0.1:1/" } },
    /answers 307|cannot be reached/,
  ],
] as const)("says that it %s, and what to do", async (_, lie, found) => {
  provider.lie(lie);
  const [first] = await examine();
  expect(first).toMatchObject({ state: "problem", found: expect.stringMatching(found) });
  expect(first?.action).not.toBeNull();
});

test("says that it cannot be reached", async () => {
  const gone = await startIdentityProvider();
  writeFileSync(join(folder, "wheelhouse.yaml"), oidcWorkspace(gone));
  await gone.close();
  const [first] = await examine();
  writeFileSync(join(folder, "wheelhouse.yaml"), oidcWorkspace(provider));
  expect(first).toMatchObject({ state: "problem", found: expect.stringContaining("cannot be reached") });
});

test.each([
  [100, "warning", "behind"],
  [-400, "problem", "ahead of"],
])("tells of a clock that is %i seconds off", async (seconds, state, how) => {
  const given = { workspaceDirectory: folder, environment: { WHEELHOUSE_OIDC_SECRET: provider.secret } };
  const [, clock] = await examineIdentityProvider(given, Date.now() + seconds * 1_000);
  expect(clock).toMatchObject({ check: "sign_in.clock", state, found: expect.stringContaining(how) });
});
