import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { makeObject } from "../../testing/security/objects.ts";
import { startWorld, type World } from "../../testing/security/world.ts";
import { randomIds } from "../context.ts";
import { createKey } from "../credentials/keys.ts";
import { linkLifetime, signFileLink } from "../files/signed-link.ts";

/** Ten minutes is what a link lives at least. */
const leastMs = 600_000;
const hour = 3_600_000;

let world: World;
let artifactId = "";
beforeAll(async () => {
  world = await startWorld();
  artifactId = await makeObject(world.context, "artifact", "own");
  const { store, files } = world.context;
  const { file_id } = await store.db
    .updateTable("artifact_versions")
    .set({ media_type: "text/plain", size: 5 })
    .where("artifact_id", "=", artifactId)
    .returning("file_id")
    .executeTakeFirstOrThrow();
  await files.write(file_id, "hello");
});
afterAll(() => world.stop());
afterEach(() => vi.restoreAllMocks());

/** As if this process had stood still for so long, as on a machine that slept: what it knows of the time is late by it. */
function sleep(ms: number): void {
  const monotonic = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => monotonic() - ms);
}

async function databaseNow(): Promise<number> {
  const { rows } = await world.context.store.pool.query<{ now: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
  );
  return rows[0]?.now ?? Number.NaN;
}

/** Asks for a link with this key of Ann's. */
async function download(key = world.credentials.owner): Promise<string> {
  const answer = await world.service.call(key, "GET", `/artifacts/${artifactId}/download`);
  expect(answer.status).toBe(200);
  return (await answer.json()).download_url;
}

/** What the artifact's own link gives to somebody without an account. */
async function shared(token: string): Promise<string> {
  const answer = await world.service.call(null, "GET", `/shared/${token}`);
  expect(answer.status).toBe(200);
  return (await answer.json()).download_url;
}

/** What is left of a link, in milliseconds of the database's clock. */
const leftOf = async (link: string) =>
  Number(new URL(link).searchParams.get("expires")) * 1_000 - (await databaseNow());

describe("S-291: a process whose machine slept for an hour", () => {
  const expectFresh = async (link: string) => {
    const left = await leftOf(link);
    expect(left).toBeGreaterThan(leastMs - 5_000);
    expect(left).toBeLessThanOrEqual(linkLifetime * 1_000);
    expect((await fetch(link)).status).toBe(200);
  };

  test("signs a link that is good as long as every other", async () => {
    await download();
    sleep(hour);
    await expectFresh(await download());
  });

  test("signs it so for a key that it sees for the first time", async () => {
    const { store } = world.context;
    const { secret } = await createKey(store.db, randomIds, { kind: "person", id: "user_ann" }, "new");
    sleep(hour);
    await expectFresh(await download(secret));
  });

  test("signs it so for somebody without an account", async () => {
    const opened = await world.ask("updateArtifactAccess", "owner", {
      params: { artifact_id: artifactId },
      body: { link: { mode: "anyone" } },
    });
    const { access } = JSON.parse(opened.text);
    sleep(hour);
    await expectFresh(await shared(access.link_url.slice(access.link_url.lastIndexOf("/") + 1)));
  });

  test("S-388: opens no link that ended meanwhile", async () => {
    const [, versionId = ""] = /files\/([^?]+)/.exec(await download()) ?? [];
    const id = new URL(await download()).searchParams.get("credential") ?? "";
    const holder = { type: "credential", id } as const;
    const file = { artifactId, versionId, disposition: "attachment", holder } as const;
    const before = new Date((await databaseNow()) - hour - 5 * 60_000);
    const { signer, publicUrl } = world.context;
    const link = signFileLink(signer, publicUrl, file, before);
    sleep(hour);
    expect((await fetch(link)).status).toBe(410);
  });

  test("opens a link that was signed meanwhile", async () => {
    const link = await download();
    sleep(hour);
    expect((await fetch(link)).status).toBe(200);
  });
});
