import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oauthTests } from "../../testing/oauth.ts";
import { type SpawnedServices, spawnServices } from "../../testing/spawned-services.ts";

let services: SpawnedServices;
const at = (place: 0 | 1) => {
  const found = services.processes[place];
  if (found === undefined) throw new Error(`There is no process ${place}`);
  return found;
};
const one = oauthTests(() => at(0));
/** The same program and verifier, as the other process hears them. */
const other = oauthTests(() => at(1), one);

beforeAll(async () => {
  services = await spawnServices(2);
}, 60_000);
afterAll(() => services?.stop());

const rounds = 5;

describe("S-149: two processes on one database are one authorization server", () => {
  it("a program comes to one, is let in at the other, and changes its code and its token at either", async () => {
    const program = await one.register();
    const sent = await one.open(program);
    const seen = await (await other.look(at(1).keys.ada, sent)).json();
    expect(seen).toMatchObject({ program: { id: program.id }, user: { id: "user_ada" } });
    const { redirect_url } = await (await other.answer(at(1).keys.ada, sent)).json();
    // It is one server to the program: both say the same of whose answer it is.
    expect(new URL(redirect_url).searchParams.get("iss")).toBe(at(0).url);
    const code = new URL(redirect_url).searchParams.get("code") ?? "";
    const first = await one.tokensOf(await one.exchange(program, code));
    expect(await other.statusOf(first.access)).toBe(200);
    const second = await other.tokensOf(await other.refresh(program, first.refresh));
    expect([await one.statusOf(second.access), await other.statusOf(second.access)]).toEqual([200, 200]);
  });

  it("of one code at both at once one exchange succeeds, and its tokens end at both", async () => {
    const program = await one.register();
    for (let round = 0; round < rounds; round++) {
      const code = await one.code(program, at(0).keys.ada);
      const answers = await Promise.all([one.exchange(program, code), other.exchange(program, code)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const [good] = answers.filter(({ ok }) => ok);
      if (good === undefined) throw new Error("None succeeded");
      const { access, refresh } = await one.tokensOf(good);
      expect([await one.statusOf(access), await other.statusOf(access)]).toEqual([401, 401]);
      expect(await one.errorOf(await one.refresh(program, refresh))).toBe("400 invalid_grant");
    }
  });

  it("of one refresh token at both at once one use succeeds, and the second ends the family at both", async () => {
    const program = await one.register();
    for (let round = 0; round < rounds; round++) {
      const held = await one.connect(program, at(0).keys.ada);
      expect([await one.statusOf(held.access), await other.statusOf(held.access)]).toEqual([200, 200]);
      const answers = await Promise.all([
        one.refresh(program, held.refresh),
        other.refresh(program, held.refresh),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const [good] = answers.filter(({ ok }) => ok);
      if (good === undefined) throw new Error("None succeeded");
      const next = await one.tokensOf(good);
      for (const access of [held.access, next.access])
        expect([await one.statusOf(access), await other.statusOf(access)]).toEqual([401, 401]);
      expect(await other.errorOf(await other.refresh(program, next.refresh))).toBe("400 invalid_grant");
    }
  });

  it("what is ended at one is refused at the other with the next request, though it has just known it", async () => {
    const ends = {
      "given back": (program: { id: string; secret: string | null }, refresh: string) =>
        one.revoke(program, refresh),
      "ended by its person": async () => {
        const { connections } = await (await at(0).call(at(0).keys.ada, "GET", "/programs")).json();
        return await at(0).call(at(0).keys.ada, "DELETE", `/programs/${connections[0].id}`);
      },
      removed: ({ id }: { id: string }) => at(0).call(at(0).keys.ada, "DELETE", `/admin/programs/${id}`),
    };
    for (const [name, end] of Object.entries(ends)) {
      const program = await one.register();
      const { access, refresh } = await one.connect(program, at(0).keys.ada);
      expect([name, await other.statusOf(access)]).toEqual([name, 200]);
      expect([name, (await end(program, refresh)).ok]).toEqual([name, true]);
      expect([name, await other.statusOf(access)]).toEqual([name, 401]);
      expect([name, (await other.refresh(program, refresh)).ok]).toEqual([name, false]);
    }
  });
});
