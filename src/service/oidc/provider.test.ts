import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type OidcService, startOidcService, TestBrowser } from "../../testing/oidc.ts";

let oidc: OidcService;
const lines: string[] = [];
const zoe = { sub: "zoe-1", email: "zoe@example.org", email_verified: true, name: "Zoe van Test" };

beforeAll(async () => {
  oidc = await startOidcService("", { logTo: (line) => lines.push(line) });
});
afterAll(() => oidc.stop());
afterEach(() => {
  vi.restoreAllMocks();
  oidc.provider.lie({});
});

const metadataAsked = () =>
  oidc.provider.asked.filter((path) => path === "/.well-known/openid-configuration").length;

it("S-186: a storm of sign-ins that begin asks the provider for its metadata once, and later again", async () => {
  const before = metadataAsked();
  const begun = await Promise.all(
    Array.from({ length: 50 }, () => new TestBrowser(oidc.service).open("/oidc/sign-in")),
  );
  for (const there of begun) expect(there).toMatch(new RegExp(`^${oidc.provider.issuer}/authorize`));
  expect(metadataAsked() - before).toBe(1);
  // Within ten seconds it is known, also which keys it has by now.
  oidc.provider.person({ ...zoe, groups: ["staff"] });
  oidc.provider.rotate();
  expect((await new TestBrowser(oidc.service).signIn()).reason).toBeNull();
  expect(metadataAsked() - before).toBe(1);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 11_000);
  oidc.provider.lie({ status: { of: "metadata", is: 502 } });
  expect((await new TestBrowser(oidc.service).signIn()).reason).toBe("provider_unreachable");
});

it("S-188: nothing that the provider gives away, nor the client's secret, is in a log line, a table or an answer", async () => {
  const heard: string[] = [];
  const { service, provider } = oidc;
  const call = async (key: string | null, method: string, path: string, body?: unknown) => {
    const response = await service.call(key, method, path, body);
    const text = await response.text();
    heard.push(JSON.stringify([...response.headers]), text);
    return JSON.parse(text);
  };
  provider.person({ ...zoe, groups: ["owners", "crew"] });
  const { accessToken, userId } = await new TestBrowser(service).signIn();
  expect(accessToken).not.toBeNull();
  // Whose token is forged, and whose code the provider refuses: their reasons are logged.
  for (const lie of [{ signing: "foreign" }, { tokenError: "invalid_grant" }, { html: "token" }] as const) {
    provider.lie(lie);
    expect((await new TestBrowser(service).signIn()).accessToken).toBeNull();
  }
  provider.lie({});
  // And their groups are asked for again.
  await oidc.letPass(20);
  const refreshes = () => provider.tokenRequests.filter((sent) => sent.get("grant_type") === "refresh_token");
  const before = refreshes().length;
  for (const path of [
    "/me",
    `/admin/people/${userId}`,
    "/console/sessions",
    "/admin/audit",
    "/admin/diagnostics",
  ])
    await call(accessToken, "GET", path);
  expect(refreshes().length).toBe(before + 1);
  const verifiers = provider.tokenRequests.flatMap((sent) => sent.get("code_verifier") ?? []);
  const secrets = [provider.secret, encodeURIComponent(provider.secret), ...provider.given, ...verifiers];
  expect(provider.given.length).toBeGreaterThan(8);
  const places = { log: lines.join("\n"), tables: await everything(), answers: heard.join("\n") };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(1_000);
    for (const secret of secrets) expect(text, place).not.toContain(secret);
  }
  // Only the address of the sign-out there has the ID token, as OpenID Connect wants it, for the person's own browser.
  const { provider_url: url } = await call(accessToken, "POST", "/console/sign-out");
  expect(provider.given).toContain(new URL(url).searchParams.get("id_token_hint"));
  expect(await everything()).not.toContain(new URL(url).searchParams.get("id_token_hint"));
});

/** All rows of all tables, as text. */
async function everything(): Promise<string> {
  const { db } = oidc.service.context.store;
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(db);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join("\n");
}

it("a role that groups give is the provider's: 409 managed_by_provider naming it, and all else of the person is the console's", async () => {
  const { service, provider } = oidc;
  provider.person({ ...zoe, sub: "olga-1", email: "olga@example.org", groups: ["owners"] });
  const { userId } = await new TestBrowser(service).signIn();
  const { ada } = service.keys;
  const path = `/admin/people/${userId}`;
  const refused = await service.call(ada, "PATCH", path, { role: "member" });
  expect([refused.status, (await refused.json()).error]).toEqual([
    409,
    expect.objectContaining({ code: "managed_by_provider", param: "role" }),
  ]);
  const { person } = await (await service.call(ada, "GET", path)).json();
  expect(person).toMatchObject({ role: "admin", role_by_groups: true });
  // What is there already is no change, and the plan is none of the provider's.
  expect((await service.call(ada, "PATCH", path, { role: "admin", plan: "pro" })).status).toBe(200);
  provider.person({ ...zoe, sub: "olga-1", email: "olga@example.org", groups: ["staff"] });
  await new TestBrowser(service).signIn();
  expect((await service.call(ada, "PATCH", path, { role: "admin" })).status).toBe(200);
});
