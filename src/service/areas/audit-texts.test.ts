import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { auditOf, sealAll } from "../../testing/audit.ts";
import { auditKey } from "../audit/chain.ts";
import { recordCounted } from "../audit/record.ts";
import { verifyChain } from "../audit/verify.ts";
import { soundText } from "../json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
  const { db } = app.context.store;
  await db.updateTable("users").set({ role: "admin" }).where("id", "=", "user_lee").execute();
});
afterAll(() => app.stop());

/** Texts that would be a line of their own, end one, or turn the letters of what follows. */
const hostile: Readonly<Record<string, string>> = {
  "a line of its own": 'Clerk"}\n{"position":1,"entry":{"action":"agent.delete"}}',
  "every end of a line": "a\r\nb\u0085c\u2028d\u2029e\u000bf",
  "turned letters": "Clerk\u202Etxt.exe\u2066",
  nothing: "Clerk\u0000x",
  "half a letter": "Clerk\ud83d",
  "the other half": "\ude00Clerk",
  "escapes as text": "Clerk\\u0000\\ud83d\\n",
  "escapes of a terminal": "\u001b[2K\u001b[1AClerk",
  "two hundred letters and a half": `${"x".repeat(199)}\ud83d\ude00y`,
};

/** What makes something that has a name, by whoever may. */
const made = [
  ["agent.create", "/agents", (name: string) => ({ name })],
  ["team.create", "/admin/teams", (name: string) => ({ name })],
  ["key.create", "/admin/keys", (name: string) => ({ name })],
  ["source.create", "/brain/sources", (name: string) => ({ name })],
  [
    "program.register",
    "/admin/programs",
    (name: string) => ({ name, redirect_uris: ["https://app.example.com/back"], confidential: true }),
  ],
  [
    "person.invite",
    "/admin/people",
    (name: string) => ({ first_name: name, last_name: "One", email: `p${people++}@example.com` }),
  ],
] as const;
let people = 0;

it.each(made)(
  "S-376: %s leaves one entry that can be read, whatever text it was given",
  async (action, path, body) => {
    const counted = async () => (await auditOf(app.context, action)).length;
    const heard: Record<string, number> = {};
    for (const [what, text] of Object.entries(hostile)) {
      const before = await counted();
      const { status } = await app.call("lee", "POST", path, body(text), { "user-agent": "a\tb" });
      heard[what] = status;
      expect([200, 400], what).toContain(status);
      expect((await counted()) - before, what).toBe(status === 200 ? 1 : 0);
    }
    expect(Object.values(heard)).toContain(200);
  },
);

it("S-376: so does what is counted by the minute", async () => {
  const asker = { caller: null, requestId: "req_x", headers: new Map(), remoteAddress: "192.0.2.1" };
  const { store } = app.context;
  for (const [id, name] of Object.entries(hostile))
    await recordCounted(store.db, asker, "192.0.2.1", {
      action: "link.open",
      object: { kind: "artifact", id: `${id}${name}`, name },
    });
  await store.pool.query("update audit_counts set minute = minute - interval '2 minutes'");
  await sealAll(app.context);
  const opened = await auditOf(app.context, "link.open");
  expect(opened.map(({ object_name }) => object_name)).toEqual(
    expect.arrayContaining(Object.values(hostile).map((name) => soundText([...name].slice(0, 200).join("")))),
  );
});

it("S-376: and all of them are lines of the export, in a chain that is whole", async () => {
  await sealAll(app.context);
  const verified = await verifyChain(app.context.store, auditKey(app.context.signer));
  expect(verified.problems).toEqual([]);
  const exported = await app.service.call(app.keys.lee, "GET", "/admin/audit/export");
  const lines = (await exported.text()).trimEnd().split("\n");
  const positions = lines.map((line) => JSON.parse(line).position);
  expect(positions.sort((a, b) => a - b)).toEqual(
    Array.from({ length: verified.entries }, (_, at) => at + 1),
  );
  const names = lines.map((line) => JSON.parse(line).entry.object_name ?? "").join("");
  expect(names).toContain("\uFFFD");
  expect(names).toBe(soundText(names));
});
