import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type OidcService, startOidcService, TestBrowser } from "../../testing/oidc.ts";
import { until } from "../../testing/until.ts";

let oidc: OidcService;
const lines: string[] = [];
const zoe = { sub: "zoe-1", email: "zoe@example.org", email_verified: true, name: "Zoe van Test" };
const [minute, hour, day] = [60, 3_600, 86_400];

beforeAll(async () => {
  oidc = await startOidcService("", { logTo: (line) => lines.push(line) });
  oidc.provider.person({ ...zoe, groups: ["staff"] });
});
afterAll(() => oidc.stop());
afterEach(() => {
  vi.restoreAllMocks();
  oidc.provider.lie({});
  lines.length = 0;
});

/** Has the provider give tokens with these times, in seconds from now. */
function date(times: Readonly<Record<string, number>>): void {
  const now = Math.floor(Date.now() / 1_000);
  const dated = Object.fromEntries(Object.entries(times).map(([name, offset]) => [name, now + offset]));
  oidc.provider.lie({ claims: (claims) => ({ ...claims, ...dated }) });
}

async function signIn(times: Readonly<Record<string, number>>) {
  date(times);
  const { accessToken, reason, message } = await new TestBrowser(oidc.service).signIn();
  expect(accessToken === null).toBe(reason !== null);
  return { reason, message };
}

describe("S-290: a sign-in with a token whose time does not fit", () => {
  it.each([
    ["an hour", hour, "1 h 00 m"],
    ["a day", day, "1 d 0 h"],
  ])("names the clocks and how far they are apart where the provider's is %s ahead", async (_, off) => {
    for (const nbf of [{}, { nbf: off }]) {
      const { reason, message } = await signIn({ iat: off, exp: off + 5 * minute, ...nbf });
      expect(reason).toBe("provider_skew");
      expect(message).toMatch(
        /^Its token was issued in the future: its clock and the clock of Wheelhouse’s database differ by (59 m \d\d s|1 h 00 m|23 h 59 m|1 d 0 h) or more, and its own is ahead\./,
      );
      expect(message).toContain("Ask whoever runs Wheelhouse to have both clocks set");
    }
  });

  it.each([
    ["an hour", -hour, "1 h 00 m"],
    ["a day", -day, "1 d 0 h"],
  ])("names them where it is %s behind, as the token is of this sign-in", async (_, off, apart) => {
    const { reason, message } = await signIn({ iat: off, exp: off + 5 * minute });
    expect(reason).toBe("provider_skew");
    expect(message).toContain(
      `Its token was issued before this sign-in was begun: its clock is ${apart} or more behind the clock of Wheelhouse’s database.`,
    );
  });

  it("says when it ended, and both ways in which that may be, where it was issued meanwhile", async () => {
    const { reason, message } = await signIn({ iat: -minute, exp: -10 * minute });
    expect(reason).toBe("provider_expired");
    expect(message).toMatch(
      /^Its token ended at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, 10 m 0\d s ago: it came too late, or its clock is behind/,
    );
  });

  it("says from when on it is valid, where it was issued as it should", async () => {
    const { reason, message } = await signIn({ iat: 0, nbf: hour, exp: 2 * hour });
    expect(reason).toBe("provider_invalid");
    expect(message).toMatch(/^Its token is not valid before \d{4}-.* UTC, in (59 m \d\d s|1 h 00 m)\./);
  });

  it("lets in whose token is good for long enough, however far its clock is behind, and some minutes ahead", async () => {
    expect(await signIn({ iat: -hour, exp: hour })).toMatchObject({ reason: null });
    expect(await signIn({ iat: 4 * minute, nbf: 4 * minute, exp: hour })).toMatchObject({ reason: null });
  });

  it("names no time that cannot be one", async () => {
    const huge = 1e300;
    oidc.provider.lie({ claims: (claims) => ({ ...claims, iat: -huge, exp: -huge }) });
    const { reason, message } = await new TestBrowser(oidc.service).signIn();
    expect(reason).toBe("provider_invalid");
    expect(message).toMatch(/^Its token names times that cannot be\./);
  });
});

it("S-291: a process whose machine slept for an hour takes no token for one of the future", async () => {
  oidc.provider.lie({});
  const browser = new TestBrowser(oidc.service);
  const back = await browser.toProvider();
  const monotonic = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => monotonic() - hour * 1_000);
  expect(await browser.comeBack(back)).toMatchObject({ reason: null });
});

describe("S-290: a renewal", () => {
  it("says in the log that its token is one from before, or that clocks differ, as nothing in it tells", async () => {
    const { accessToken, userId } = await new TestBrowser(oidc.service).signIn();
    date({ iat: -hour, exp: -hour + 5 * minute });
    await renew(userId, accessToken);
    expect(lines.join("\n")).toMatch(
      /Its token ended at .* ago: it is one from before, or its clock is (59 m \d\d s|1 h 00 m) or more behind the clock of/,
    );
  });

  it("goes on with a provider whose clock is ahead", async () => {
    const { accessToken, userId } = await new TestBrowser(oidc.service).signIn();
    date({ iat: hour, exp: 2 * hour });
    await renew(userId, accessToken);
    expect(lines.join("\n")).not.toContain("did not renew");
  });

  /** Has the groups of somebody asked for again. */
  async function renew(userId: string | null, accessToken: string | null): Promise<void> {
    await oidc.letPass(20, userId ?? undefined);
    const asked = () => oidc.provider.tokenRequests.length;
    const before = asked();
    expect((await oidc.service.call(accessToken, "GET", "/me")).status).toBe(200);
    await until("the provider was asked", () => asked() > before);
  }
});
