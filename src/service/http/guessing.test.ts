import { request as httpRequest } from "node:http";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mcpCallbackPath } from "../../contract/mcp-connection.ts";
import { sealAll } from "../../testing/audit.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { createSignInToken } from "../credentials/sign-in.ts";

const limit = { atOnce: 3, everySeconds: 600 };
let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, guessLimits: { network: limit, site: limit, account: limit } });
});
afterAll(() => service.stop());

/** Each test guesses from a network of its own: the loopback has many addresses. */
let networks = 10;
let here = "";
beforeEach(() => {
  here = `127.0.0.${networks++}`;
});

interface Heard {
  readonly status: number;
  readonly retryAfter: number;
  readonly text: string;
}

function send(
  path: string,
  {
    method = "GET",
    body = "",
    headers = {},
    from = here,
  }: Partial<Record<"method" | "body" | "from", string>> & {
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      service.url + path,
      { method, localAddress: from, headers: { "content-type": "application/json", ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            retryAfter: Number(answer.headers["retry-after"]),
            text,
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const withKey = (key: string, from = here) =>
  send("/api/v1/agents", { from, headers: { authorization: `Bearer ${key}` } });
const signIn = (token: string, from = here) =>
  send("/api/v1/console/sessions", { method: "POST", body: JSON.stringify({ token }), from });
const times = async (count: number, what: (n: number) => Promise<Heard>) => {
  const told: Heard[] = [];
  for (let n = 0; n < count; n++) told.push(await what(n));
  return told;
};

const doors: readonly (readonly [
  name: string,
  wrong: number,
  guess: (n: number, from?: string) => Promise<Heard>,
])[] = [
  ["a key", 401, (n, from) => withKey(`wrong-key-number-${n}-0123456789`, from)],
  [
    "a key of a write",
    403,
    (n, from) =>
      send("/api/v1/start_agent", {
        ...{ method: "POST", body: "{}", headers: { authorization: `Bearer wrong-${n}-0123456789` } },
        ...(from === undefined ? {} : { from }),
      }),
  ],
  [
    "a key in the address",
    401,
    (n, from) =>
      send(`/api/v1/start_pipeline?api_key=wrong-${n}-0123456789`, {
        ...{ method: "POST", body: "{}" },
        ...(from === undefined ? {} : { from }),
      }),
  ],
  ["a sign-in link", 401, (n, from) => signIn(`wrong-${n}`, from)],
  [
    "a link to share",
    404,
    (n, from) =>
      send(
        `/api/v1/shared/${"a".repeat(22)}-${String(n).padStart(43, "b")}`,
        from === undefined ? {} : { from },
      ),
  ],
  [
    "a signed link",
    403,
    (n, from) => send(`/api/v1/files/art_1?signature=${n}`, from === undefined ? {} : { from }),
  ],
  [
    "a sign-in to an MCP server",
    400,
    (n, from) => send(`${mcpCallbackPath}?state=${n}&code=1`, from === undefined ? {} : { from }),
  ],
];

test.each(doors)("S-180: %s is guessed a few times, and then the network waits", async (_, wrong, guess) => {
  const told = await times(6, (n) => guess(n));
  expect(told.map(({ status }) => status)).toEqual([wrong, wrong, wrong, 429, 429, 429]);
  const [last] = told.slice(-1);
  expect([(last?.retryAfter ?? 0) > 500, (last?.retryAfter ?? 0) <= 600]).toEqual([true, true]);
  expect(last?.text).toMatch(/Too many wrong keys, links or codes came from your network/);
  expect((await guess(9, `127.0.1.${networks}`)).status).toBe(wrong);
});

test("S-180: all doors count together, and forwarding headers are not believed", async () => {
  const spoofed = (n: number) => ({
    "x-forwarded-for": `203.0.113.${n}`,
    forwarded: `for=203.0.113.${n}`,
    "x-real-ip": `203.0.113.${n}`,
  });
  const told = await times(6, (n) =>
    n % 2 === 0
      ? signIn(`wrong-${n}`)
      : send("/api/v1/agents", { headers: { authorization: "Bearer nothing-at-all", ...spoofed(n) } }),
  );
  expect(told.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429, 429]);
});

test("S-181: whoever shares the guesser's network signs in with a fresh link and goes on with a key", async () => {
  await times(8, (n) => withKey(`wrong-key-number-${n}-0123456789`));
  const token = await createSignInToken(service.context.store, "user_ada");
  const signedIn = await signIn(token);
  expect(signedIn.status).toBe(200);
  const { access_token: session }: { access_token: string } = JSON.parse(signedIn.text);
  expect((await withKey(session)).status).toBe(200);
  const made = await service.makeKey({ kind: "person", id: "user_grace" });
  expect((await withKey(made)).status).toBe(200);
  expect((await withKey("still-a-wrong-key-0123456789")).status).toBe(429);
});

test("S-181: a key that has ended is no guess: it hears 401 however often it is sent", async () => {
  const made = await service.makeKey({ kind: "person", id: "user_grace" });
  await sql`update credentials set revoked_at = now() where prefix = ${made.slice(0, 16)}`.execute(
    service.context.store.db,
  );
  const told = await times(8, () => withKey(made));
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([401]));
  expect((await withKey("a-wrong-key-0123456789")).status).toBe(401);
});

test("S-182: a key that a person has chosen goes on where it was used, and waits elsewhere while keys are guessed there", async () => {
  expect((await withKey(service.keys.ada)).status).toBe(200);
  await times(8, (n) => withKey(`wrong-key-number-${n}-0123456789`));
  // Another process, which does not remember it, sees that it was used from here.
  const { store } = service.context;
  await until("its use is written down", async () => {
    const used = await store.db.selectFrom("credentials").select("used_from_address").execute();
    return used.some((row) => row.used_from_address === here);
  });
  await sql`update users set plan = 'enterprise' where id = 'user_ada'`.execute(store.db);
  expect((await withKey(service.keys.ada)).status).toBe(200);
  // Nobody has used this one yet.
  expect((await withKey(service.keys.grace)).status).toBe(429);
  expect((await withKey(service.keys.grace, `127.0.1.${networks}`)).status).toBe(200);
});

test("S-184: refused keys are in the audit log, once a minute, without what was sent", async () => {
  await times(8, (n) => withKey(`canary-of-a-guess-${n}-0123456789`));
  const { db } = service.context.store;
  await service.context.guesses.stop();
  await sql`update audit_counts set minute = minute - interval '2 minutes'`.execute(db);
  await sealAll(service.context);
  const { rows } = await sql<{ entry: string }>`
    select entry::text as entry from audit_log where action = 'key.refuse' and entry ->> 'address' = ${here}`.execute(
    db,
  );
  expect(rows.length).toBeGreaterThanOrEqual(1);
  expect(rows.length).toBeLessThanOrEqual(2);
  const counts = rows.map(({ entry }) => (JSON.parse(entry) as { count: number }).count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8);
  expect(JSON.stringify(rows)).not.toContain("canary-of-a-guess");
});
