import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from "vitest";
import { linkPasswordHeader } from "../../contract/access.ts";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";
import type { Passwords } from "../credentials/passwords.ts";

let now = new Date();
let app: AgentService;
/** An artifact of Kim's, fresh for each test. */
let id = "";
let verify: MockInstance<Passwords["verify"]>;
beforeAll(async () => {
  app = await startAgentService({ clock: { now: () => now } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  now = new Date();
  verify = vi.spyOn(app.context.passwords, "verify");
  id = await write("plan.md", "the plan");
});
afterEach(() => vi.restoreAllMocks());

async function write(name: string, content: string, session?: string): Promise<string> {
  const more = { gummie_id: "agent_offline", ...(session === undefined ? {} : { interaction_id: session }) };
  const { body } = await app.start(`/write_file ${JSON.stringify({ name, content })}`, more);
  expect((await app.settled(body.interaction_id)).state).toBe("COMPLETED");
  const listed = await app.call("kim", "GET", `/artifacts?session_id=${body.interaction_id}`);
  return listed.body.artifacts[0].id;
}

const change = (body: object, key: KeyName = "kim") =>
  app.call(key, "PUT", `/artifacts/${id}/access`, body, asOwner(key));
const link = async (body: object) => {
  const answer = await change({ link: body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.access;
};
const tokenOf = (access: { link_url: string }) => access.link_url.slice(access.link_url.lastIndexOf("/") + 1);
const open = (token: string, password?: string, headers: Record<string, string> = {}) =>
  app.call(null, "GET", `/shared/${token}`, undefined, {
    ...(password === undefined ? {} : { [linkPasswordHeader]: encodeURIComponent(password) }),
    ...headers,
  });
const hear = async (token: string, password?: string, headers?: Record<string, string>) => {
  const { status, body } = await open(token, password, headers);
  return status === 200 ? "open" : `${status} ${body.error.code}`;
};
const secret = "correct horse 42";
/** As if what was tried on all links so far had been tried this much earlier, in seconds; later where below 0. */
const setBack = (seconds: number) =>
  app.context.store.pool.query("update link_tries set tried_at = tried_at - make_interval(secs => $1)", [
    seconds,
  ]);

describe("what a link opens", () => {
  it("is the file, for somebody without an account, and nothing else of the service", async () => {
    const access = await link({ mode: "anyone" });
    expect(access.link_url).toMatch(new RegExp(`^${app.context.publicUrl}/shared/link_[\\w~-]{60,}$`));
    const { status, body } = await open(tokenOf(access));
    expect(status).toBe(200);
    expect(body).toEqual({
      filename: "plan.md",
      media_type: "text/markdown",
      size: 8,
      created_at: expect.stringMatching(/Z$/),
      shared_by: "Kim Test",
      role: "viewer",
      download_url: expect.stringContaining("/api/v1/files/"),
      preview_url: expect.stringContaining("disposition=inline"),
    });
    expect(JSON.stringify(body)).not.toMatch(/@|user_kim|agent_|int_/);
    expect(await (await fetch(body.download_url)).text()).toBe("the plan");
    const asToken = { authorization: `Bearer ${tokenOf(access)}` };
    for (const path of ["/artifacts", `/artifacts/${id}/download`, `/artifacts/${id}/access`, "/agents"])
      expect((await app.call(null, "GET", path, undefined, asToken)).status, path).toBe(401);
  });

  it("has no preview of what browsers do not show in place", async () => {
    const { store } = app.context;
    const zip = { media_type: "application/zip" };
    await store.db.updateTable("artifact_versions").set(zip).where("artifact_id", "=", id).execute();
    const { body } = await open(tokenOf(await link({ mode: "anyone" })));
    expect(body).toMatchObject({ media_type: "application/zip", preview_url: null });
    expect(body.download_url).toContain("disposition=attachment");
  });

  it("has an address only while it is open, and a password only where it asks for one: the database holds to that", async () => {
    await link({ mode: "anyone" });
    const { pool } = app.context.store;
    for (const wrong of ["link_mode = 'none'", "link_id = null"])
      await expect(pool.query(`update artifacts set ${wrong} where id = $1`, [id])).rejects.toThrow(
        '"artifacts_link"',
      );
    for (const wrong of ["link_mode = 'password'", "link_password = 'x'"])
      await expect(pool.query(`update artifacts set ${wrong} where id = $1`, [id])).rejects.toThrow(
        '"artifacts_link_password"',
      );
  });

  it("is of who opened it, whoever changes it afterwards", async () => {
    await change({ share: [{ type: "person", email: "user_lee@example.com", role: "editor" }] });
    const token = tokenOf(await link({ mode: "anyone" }));
    expect((await change({ link: { mode: "anyone", role: "editor" } }, "lee")).status).toBe(200);
    expect((await open(token)).body).toMatchObject({ shared_by: "Kim Test", role: "editor" });
    await link({ mode: "none" });
    const again = (await change({ link: { mode: "anyone" } }, "lee")).body.access;
    expect((await open(tokenOf(again))).body.shared_by).toBe("Lee Test");
  });

  it("signs nothing that outlasts it, whatever closes it", async () => {
    const { body } = await open(tokenOf(await link({ mode: "anyone" })));
    const status = async () => (await fetch(body.download_url)).status;
    expect(await status()).toBe(200);
    await app.context.store.pool.query(
      "update artifacts set link_mode = 'none', link_id = null where id = $1",
      [id],
    );
    expect(await status()).toBe(404);
  });

  it("says the same of one that was closed, replaced, deleted, made up, or never there", async () => {
    const { body: never } = await open("never-made");
    const first = tokenOf(await link({ mode: "anyone" }));
    await link({ mode: "none" });
    const second = tokenOf(await link({ mode: "anyone" }));
    expect(second).not.toBe(first);
    const forged = second.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
    const swapped = `${second.split("-")[0]}-${first.slice(first.indexOf("-") + 1)}`;
    const plain = second.split("-")[0] ?? "";
    for (const token of [first, forged, swapped, plain, `${second}x`, id]) {
      const answer = await open(token);
      expect([answer.status, answer.body], token).toEqual([404, never]);
    }
    expect(await hear(second)).toBe("open");
    const removed = { removed_at: new Date() };
    await app.context.store.db.updateTable("artifacts").set(removed).where("id", "=", id).execute();
    expect((await open(second)).body).toEqual(never);
  });

  it("S-26: takes its signed links with it when it is closed or changed, and lets those of people live", async () => {
    const { body } = await open(tokenOf(await link({ mode: "anyone" })));
    const own = (await app.call("kim", "GET", `/artifacts/${id}/download`)).body.download_url;
    const statuses = async () =>
      Promise.all([body.download_url, body.preview_url, own].map(async (url) => (await fetch(url)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await link({ mode: "anyone", role: "editor" });
    expect(await statuses()).toEqual([200, 200, 200]);
    await link({ mode: "password", password: secret });
    expect(await statuses()).toEqual([404, 404, 200]);
    await link({ mode: "anyone" });
    expect(await statuses()).toEqual([404, 404, 200]);
  });

  it("S-303: opens no bytes either while the person who shared it is deactivated", async () => {
    const token = tokenOf(await link({ mode: "anyone" }));
    const { body } = await open(token);
    const statuses = async () =>
      Promise.all([body.download_url, body.preview_url].map(async (url) => (await fetch(url)).status));
    const turn = (deactivated_at: Date | null) =>
      app.context.store.db
        .updateTable("users")
        .set({ deactivated_at })
        .where("id", "=", "user_kim")
        .execute();
    await turn(new Date());
    try {
      expect([await hear(token), ...(await statuses())]).toEqual(["404 not_found", 404, 404]);
    } finally {
      await turn(null);
    }
    expect(await statuses()).toEqual([200, 200]);
  });

  it("S-400: that was shared by somebody who is deactivated is another one, which opens, once it is set again", async () => {
    await change({ share: [{ type: "person", email: "user_lee@example.com", role: "editor" }] });
    const before = tokenOf((await change({ link: { mode: "anyone" } }, "lee")).body.access);
    const turn = (to: string) =>
      app.context.store.pool.query(`update users set deactivated_at = ${to} where id = 'user_lee'`);
    await turn("now()");
    const after = tokenOf(await link({ mode: "anyone" }));
    const heard = [await hear(after), await hear(before)];
    await turn("null");
    expect([...heard, await hear(before)]).toEqual(["open", "404 not_found", "404 not_found"]);
  });

  it("is the newest version, and its address stays while it is open", async () => {
    const session = (await app.call("kim", "GET", "/artifacts")).body.artifacts[0].session_id;
    const token = tokenOf(await link({ mode: "anyone" }));
    expect(await write("plan.md", "a better plan", session)).toBe(id);
    const { body } = await open(token);
    expect(await (await fetch(body.download_url)).text()).toBe("a better plan");
    expect(tokenOf(await link({ mode: "password", password: secret }))).toBe(token);
    expect(tokenOf(await link({ mode: "anyone", role: null }))).toBe(token);
  });

  it("shows its address to those who manage it, and to nobody else", async () => {
    const { link_url } = await link({ mode: "anyone" });
    const email = "user_lee@example.com";
    const read = async () => (await app.call("lee", "GET", `/artifacts/${id}/access`)).body.access;
    await change({ share: [{ type: "person", email, role: "editor" }] });
    expect((await read()).link_url).toBe(link_url);
    await change({ share: [{ type: "person", email, role: "viewer" }] });
    const limited = await read();
    expect(limited.link).toBe("anyone");
    expect(JSON.stringify(limited)).not.toContain("link_url");
  });

  it("is kept as an id only: whoever reads the database cannot open it", async () => {
    const token = tokenOf(await link({ mode: "password", password: secret }));
    const rows = await app.context.store.db
      .selectFrom("artifacts")
      .selectAll()
      .where("id", "=", id)
      .execute();
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(secret);
    expect(rows[0]?.link_password).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  });
});

describe("S-36: a link with a password", () => {
  it("tells nothing before the password, and opens with it", async () => {
    const access = await link({ mode: "password", password: secret });
    expect(access).toMatchObject({ link: "password", password_protected: true });
    expect(JSON.stringify(access)).not.toContain(secret);
    const token = tokenOf(access);
    const without = await open(token);
    expect([without.status, without.body.error.code]).toEqual([403, "link_password_required"]);
    const wrong = await open(token, "correct horse 43");
    expect([wrong.status, wrong.body.error.code]).toEqual([403, "link_password_wrong"]);
    for (const { body } of [without, wrong]) expect(JSON.stringify(body)).not.toMatch(/plan|Kim|markdown/);
    const right = await open(token, secret);
    expect(await (await fetch(right.body.download_url)).text()).toBe("the plan");
  });

  it("S-26: opens nothing that was closed or got another password while this one was compared", async () => {
    const changes = [{ mode: "none" }, { mode: "password", password: "quite another one" }];
    for (const changed of changes) {
      const token = tokenOf(await link({ mode: "password", password: secret }));
      verify.mockImplementationOnce(async () => {
        await link(changed);
        return true;
      });
      expect(await hear(token, secret)).toBe("404 not_found");
    }
  });

  it("is one password however its characters are composed (NFKC)", async () => {
    const composed = "Café über ﬁne 2²";
    const token = tokenOf(await link({ mode: "password", password: composed.normalize("NFD") }));
    for (const form of ["NFC", "NFD", "NFKC", "NFKD"])
      expect(await hear(token, composed.normalize(form)), form).toBe("open");
    expect(await hear(token, composed.toUpperCase())).toBe("403 link_password_wrong");
  });

  it("salts each: the same password is kept differently", async () => {
    const kept = async () => {
      await link({ mode: "password", password: secret });
      const query = app.context.store.db.selectFrom("artifacts").select("link_password");
      return (await query.where("id", "=", id).executeTakeFirstOrThrow()).link_password;
    };
    expect(await kept()).not.toBe(await kept());
  });

  it.each([
    ["null", null],
    ["the empty string", ""],
    ["a list", []],
    ["an object", {}],
    ["a number", 1234567890],
    ["true", true],
    ["nine characters", "123456789"],
    ["five emoji", "🦊🦊🦊🦊🦊"],
    ["257 characters", "x".repeat(257)],
    ["18 letters that are 324 characters in truth", "\uFDFA".repeat(18)],
    ["1 MB", "x".repeat(1_000_000)],
  ])("cannot be set to %s", async (_, password) => {
    const answer = await change({ link: { mode: "password", password } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toMatch(/^link\.password/);
    expect((await change({})).body.access).toMatchObject({ link: "none", password_protected: false });
  });

  it("takes 10 and 256 characters, counted as people count them", async () => {
    for (const password of ["1234567890", "x".repeat(256), "🦊".repeat(10), "🦊".repeat(256)]) {
      const token = tokenOf(await link({ mode: "password", password }));
      expect(await hear(token, password)).toBe("open");
    }
  });

  it.each([
    ["null", "null"],
    ["a list", "[]"],
    ["an object", "{}"],
    ["true", "true"],
    ["1 MB", "x".repeat(10_000)],
    ["its hash", "scrypt$32768$8$1$x$y"],
  ])("is not opened by %s, and such a try is never hashed where it could not be right", async (_, guess) => {
    const token = tokenOf(await link({ mode: "password", password: secret }));
    expect(await hear(token, guess)).toBe("403 link_password_wrong");
    expect(verify.mock.calls.every(([password]) => password.length >= 10)).toBe(true);
  });

  it("names a header that cannot be read, and treats an empty one as none", async () => {
    const token = tokenOf(await link({ mode: "password", password: secret }));
    const broken = await open(token, undefined, { [linkPasswordHeader]: "%E0%A4%A" });
    expect([broken.status, broken.body.error.param]).toEqual([400, linkPasswordHeader]);
    expect(await hear(token, "")).toBe("403 link_password_required");
    expect(await hear(token, undefined, { authorization: `Bearer ${secret}` })).toBe(
      "403 link_password_required",
    );
    expect((await app.call(null, "GET", `/shared/${token}?password=${secret}`)).status).toBe(403);
  });

  it("stays when only its role changes, is replaced by a new one, and gone when the mode is", async () => {
    const token = tokenOf(await link({ mode: "password", password: secret }));
    await link({ mode: "password", role: "editor" });
    expect((await open(token, secret)).body).toMatchObject({ role: "editor" });
    await link({ mode: "password", password: "quite another one" });
    expect(await hear(token, secret)).toBe("403 link_password_wrong");
    expect(await hear(token, "quite another one")).toBe("open");
    await link({ mode: "anyone" });
    expect(await hear(token)).toBe("open");
    expect((await change({ link: { mode: "password" } })).body.error.param).toBe("link.password");
  });

  it("S-36: makes whoever guesses wait, also with the right one, and believes no forwarding header", async () => {
    const token = tokenOf(await link({ mode: "password", password: secret }));
    const told: string[] = [];
    for (let guess = 0; guess < 200; guess++) {
      // However long the other guesses take, no wait is over meanwhile.
      if (guess === 10) await setBack(-3_600);
      const from = `203.0.113.${guess}`;
      const spoofed = { "x-forwarded-for": from, forwarded: `for=${from}`, "x-real-ip": from };
      told.push(await hear(token, `a wrong guess ${guess}`, spoofed));
    }
    expect(told.slice(0, 10)).toEqual(Array(10).fill("403 link_password_wrong"));
    expect(told.slice(10)).toEqual(Array(190).fill("429 too_many_requests"));
    expect(verify).toHaveBeenCalledTimes(10);
    const right = await open(token, secret);
    expect(right.status).toBe(429);
    const wait = Number(right.headers.get("retry-after"));
    expect([wait > 3_000, wait <= 3_601]).toEqual([true, true]);
    // The wait goes by the database's clock: this process may have any other one.
    now = new Date(now.getTime() + 86_400_000);
    expect(await hear(token, secret)).toBe("429 too_many_requests");
    await setBack(wait);
    expect(await hear(token, secret)).toBe("open");
    // The network is known again.
    expect(await hear(token, "a wrong guess 11")).toBe("403 link_password_wrong");
  });

  it("S-183: lets a network that knew the old password wait like any other once there is a new one", async () => {
    const token = tokenOf(await link({ mode: "password", password: secret }));
    expect(await hear(token, secret)).toBe("open");
    const guessElsewhere = `insert into link_tries (artifact_id, network, tried_at)
      select $1, '192.0.2.' || n, now() from generate_series(1, 60) n`;
    await app.context.store.pool.query(guessElsewhere, [id]);
    expect(await hear(token, secret)).toBe("open");
    await link({ mode: "password", password: "quite another one" });
    expect(await hear(token, "quite another one")).toBe("429 too_many_requests");
  });

  it("S-36: forgets guesses with the address that they were made at, not with a new password", async () => {
    const guess = async (token: string) => hear(token, "a wrong guess 0");
    const first = tokenOf(await link({ mode: "password", password: secret }));
    for (let tries = 0; tries < 10; tries++) await guess(first);
    await setBack(-3_600);
    await link({ mode: "password", password: "quite another one" });
    expect(await guess(first)).toBe("429 too_many_requests");
    await link({ mode: "none" });
    const second = tokenOf(await link({ mode: "password", password: secret }));
    expect(await guess(second)).toBe("403 link_password_wrong");
  });
});
