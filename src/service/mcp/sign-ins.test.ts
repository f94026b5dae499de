import { afterAll, beforeAll, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { addPeople } from "../../testing/people.ts";
import { createSealer } from "../credentials/sealer.ts";
import { createSigner } from "../credentials/signer.ts";
import type { McpOwner } from "./owner.ts";
import { createSignIns } from "./sign-ins.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  await addPeople(fresh.store);
});
afterAll(() => fresh.drop());

it("S-349: of one person the newest twenty sign-ins wait, and those of others stay", async () => {
  const sealer = createSealer(createSigner("a secret that only tests have, 32+").derive("mcp"));
  const signIns = createSignIns(fresh.store.db, sealer);
  const discovery = { authorizationServerUrl: "https://sign-in.example" };
  const secrets = { verifier: "v", client: { client_id: "c" }, discovery };
  const begin = async (state: string, owner: McpOwner, startedBy: string | null) => {
    await signIns.begin(state, "browser", { serverId: "drive", owner, address: "here", startedBy }, secrets);
  };
  const team = { type: "team", id: "team_one" } as const;
  await begin("of ben", { type: "user", id: "user_ben" }, "user_ben");
  await begin("of the team", team, "user_ann");
  await begin("of its key", team, null);
  for (let n = 0; n < 22; n++) await begin(`of ann ${n}`, { type: "user", id: "user_ann" }, "user_ann");
  const found = async (state: string) => (await signIns.take(state, "browser")).type;
  for (const first of ["of ann 0", "of ann 1"]) expect(await found(first)).toBe("unknown");
  for (const kept of ["of ann 2", "of ann 21", "of ben", "of the team", "of its key"])
    expect([kept, await found(kept)]).toEqual([kept, "found"]);
});
