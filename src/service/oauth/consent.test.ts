import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditOf } from "../../testing/audit.ts";
import { oauthTests, type SentHere } from "../../testing/oauth.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { makeConnection } from "./connections.ts";
import { endDocumentPrograms } from "./end-document-programs.ts";
import { createPrograms } from "./programs.ts";

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-programs-"));
const test = oauthTests(() => service);

beforeAll(async () => {
  // The sample, whose operator lets nobody in who is not registered.
  cpSync(resolve(import.meta.dirname, "../../../workspace"), folder, { recursive: true });
  const file = join(folder, "wheelhouse.yaml");
  writeFileSync(file, `${readFileSync(file, "utf8")}\nprograms: { metadata_documents: false }\n`);
  service = await startService({ work: false, workspace: folder });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const say = ({ requestId, cookie }: SentHere, body: object, key = service.keys.ada) =>
  service.call(key, "POST", `/programs/requests/${requestId}`, body, { cookie });

it("S-366: a key that ends lets no program in, which would outlive it; it may say no, and who signs in lets it in", async () => {
  const sent = await test.open(await test.register({ name: "Lasting" }), { scope: "read" });
  const made = await service.call(service.keys.ada, "POST", "/admin/keys", {
    name: "ci",
    expires_in_days: 30,
  });
  const { secret } = await made.json();
  const refused = await say(sent, { allow: true }, secret);
  expect([refused.status, (await refused.json()).error.param]).toEqual([400, "allow"]);
  expect((await say(sent, { allow: true })).status).toBe(200);
  const other = await test.open(await test.register({ name: "Refused" }), { scope: "read" });
  expect((await say(other, { allow: false }, secret)).status).toBe(200);
});

describe("S-153: a person lets a program have less than it asks for", () => {
  it("gives it what they left ticked, now and at each refresh", async () => {
    const program = await test.register({ name: "Modest" });
    const sent = await test.open(program, { scope: "read run write" });
    const answer = await say(sent, { allow: true, scopes: ["read"] });
    const code = new URL((await answer.json()).redirect_url).searchParams.get("code") ?? "";
    const given = await (await test.exchange(program, code)).json();
    expect(given.scope).toBe("read");
    expect(await test.statusOf(given.access_token, "POST", "/agents", { name: "New" })).toBe(403);
    const renewed = await test.refresh(program, given.refresh_token, { scope: "read write" });
    expect(await test.errorOf(renewed)).toBe("400 invalid_scope");
    const next = await (await test.refresh(program, given.refresh_token)).json();
    expect(next.scope).toBe("read");
    const { connections } = await (await service.call(service.keys.ada, "GET", "/programs")).json();
    expect(connections[0].scopes).toEqual(["read"]);
    const [entry] = (await auditOf(service.context, "program.allow")).filter(
      ({ object_name: name }) => name === "Modest",
    );
    expect(entry?.changes).toContainEqual(expect.objectContaining({ field: "scopes", after: "read" }));
  });

  it.each([
    ["more than it asked for", ["read", "write"]],
    ["nothing at all", []],
  ])("takes no answer that gives it %s, and lets them answer again", async (_, scopes) => {
    const program = await test.register();
    const sent = await test.open(program, { scope: "read run" });
    const refused = await say(sent, { allow: true, scopes });
    expect(refused.status).toBe(400);
    expect((await refused.json()).error.param).toBe("scopes");
    expect((await say(sent, { allow: true, scopes: ["run"] })).status).toBe(200);
  });
});

describe("S-154: an admin lets in registered programs alone", () => {
  const id = "https://reader.example/oauth/client.json";
  const uri = "https://reader.example/back";

  it("takes no client id that is an address, and calls nobody", async () => {
    const asked: unknown[] = [];
    const fetch = async (address: unknown) => {
      asked.push(address);
      return new Response();
    };
    expect(await createPrograms(service.context.store, fetch, false).find(id)).toBeNull();
    expect(asked).toEqual([]);
    const sent = await test.open({ id, secret: null }, { redirect_uri: uri });
    expect([sent.status, sent.location]).toEqual([400, null]);
    expect(sent.text).toContain("not known to this service");
    const server = await (
      await globalThis.fetch(`${service.url}/.well-known/oauth-authorization-server`)
    ).json();
    expect(server.client_id_metadata_document_supported).toBe(false);
    // One that is registered comes in as ever.
    const program = await test.register();
    expect(await test.statusOf((await test.connect(program, service.keys.ada)).access)).toBe(200);
  });

  it("ends what was let in before, in the audit log by the service, when it is switched off", async () => {
    const { store, ids } = service.context;
    const row = { id, kind: "document", name: "Reader", redirect_uris: [uri], secret_hash: null } as const;
    await store.db.insertInto("oauth_programs").values(row).execute();
    const request = {
      program_id: id,
      redirect_uri: uri,
      scopes: ["read"] as const,
      challenge: test.challenge,
    };
    const { code } = await store.db
      .transaction()
      .execute((tx) => makeConnection(tx, ids, "user_ada", { ...request, scopes: [...request.scopes] }));
    await store.db.transaction().execute(endDocumentPrograms);
    const exchanged = await test.exchange({ id, secret: null }, code, { redirect_uri: uri });
    expect(await test.errorOf(exchanged)).toBe("401 invalid_client");
    const live = await store.db
      .selectFrom("oauth_connections")
      .select("id")
      .where("program_id", "=", id)
      .where("ended_at", "is", null)
      .execute();
    expect(live).toEqual([]);
    const [entry] = (await auditOf(service.context, "program.end")).filter(({ by }) => by === "service");
    expect(entry).toMatchObject({ object_name: "Reader" });
    // Once is enough.
    await store.db.transaction().execute(endDocumentPrograms);
    expect((await auditOf(service.context, "program.end")).filter(({ by }) => by === "service")).toHaveLength(
      1,
    );
  });
});
