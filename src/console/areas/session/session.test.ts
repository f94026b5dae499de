// @vitest-environment jsdom
import "../../api/jitless.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listTeams } from "../../../contract/teams.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { aSignIn, memoryStore, testWheelhouse } from "../../../testing/test-wheelhouse.ts";
import type { TabChannel } from "../../api/across-tabs.ts";
import { call } from "../../api/client.ts";
import { Drafts } from "../../lib/history/drafts.ts";
import { identityOf } from "./signed-in.ts";
import { Vault } from "./vault.ts";
import type { Wheelhouse } from "./wheelhouse.tsx";

const service = mockServicePerTest();
let open: Wheelhouse[] = [];

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  for (const one of open) one.close();
  open = [];
});

/** Channels of tabs in one browser. */
function browser() {
  const listeners = new Set<(event: { data: unknown }) => void>();
  return (): TabChannel => {
    let mine: ((event: { data: unknown }) => void) | null = null;
    return {
      postMessage(message) {
        const copy: unknown = structuredClone(message);
        for (const one of listeners) if (one !== mine) one({ data: copy });
      },
      addEventListener(_type, listener) {
        mine = listener;
        listeners.add(listener);
      },
      close: () => void (mine && listeners.delete(mine)),
    };
  };
}

function tab(channel: TabChannel | null = null, store = memoryStore()): Wheelhouse {
  const made = testWheelhouse({ channel, store });
  open.push(made);
  return made;
}

const status = (one: Wheelhouse) => one.session.state.get().status;
const key = aSignIn().credential.secret;

describe("signing in", () => {
  it("survives a reload in the same tab", async () => {
    tab().session.signIn(aSignIn());
    const reloaded = tab();
    await reloaded.start();
    expect(status(reloaded)).toBe("signed-in");
    expect(reloaded.api.get()?.id).toBe(identityOf(aSignIn()));
  });

  it("C-25: keeps the key in memory and in this tab's storage, and nowhere else", async () => {
    const store = memoryStore();
    const one = tab(null, store);
    one.session.signIn(aSignIn());
    await one.api
      .get()
      ?.history.begin({ savedItemId: "f", savedItemName: null, projectId: null, inputs: {} });
    expect(JSON.stringify(sessionStorage)).toContain(key);
    expect(JSON.stringify(localStorage)).not.toContain(key);
    expect(JSON.stringify(await store.read(""))).not.toContain(key);
    expect(one.api.get()?.id).not.toContain(key);
    expect(JSON.stringify(one.api.get()?.who)).not.toContain(key);
    expect(document.cookie + location.href).not.toContain(key);
  });

  it("is handed to another tab by an open one, unless it is for that tab only", async () => {
    const channel = browser();
    const first = tab(channel());
    first.session.signIn(aSignIn());
    sessionStorage.clear();
    const second = tab(channel());
    await second.start();
    expect(status(second)).toBe("signed-in");

    const alone = browser();
    const only = tab(alone());
    only.session.signIn(aSignIn({ thisTabOnly: true }));
    sessionStorage.clear();
    const third = tab(alone());
    await third.start();
    expect(status(third)).toBe("signed-out");
  });

  it("C-30: starts signed out where storage is blocked, full or holds rubbish", async () => {
    const blocked = new Vault(
      () => {
        throw new DOMException("denied", "SecurityError");
      },
      () => {
        throw new DOMException("denied", "SecurityError");
      },
    );
    expect(blocked.load()).toBeNull();
    expect(blocked.save(aSignIn())).toBe(false);
    blocked.forget();
    blocked.noteSignOut(1);

    for (const rubbish of ["{", "null", '{"credential":{}}', "[]", '"text"']) {
      sessionStorage.setItem("wheelhouse:session", rubbish);
      const one = tab();
      await one.start();
      expect(status(one), rubbish).toBe("signed-out");
      expect(sessionStorage.getItem("wheelhouse:session")).toBeNull();
    }
  });

  it("does not believe another page's message that is no sign-in", async () => {
    const channel = browser();
    const one = tab(channel());
    const other = channel();
    for (const message of [null, 5, "give", {}, { type: "give" }, { type: "give", as: { credential: 1 } }]) {
      other.postMessage(message);
    }
    await one.start();
    expect(status(one)).toBe("signed-out");
  });
});

describe("C-26: signing out", () => {
  it("clears key, caches and history in all tabs", async () => {
    const channel = browser();
    const store = memoryStore();
    const [a, b] = [tab(channel(), store), tab(channel(), store)];
    a.session.signIn(aSignIn());
    expect(status(b)).toBe("signed-in");
    b.queries.setQueryData(["x"], 1);
    await a.api.get()?.history.begin({ savedItemId: "f", savedItemName: null, projectId: null, inputs: {} });
    a.session.signOut();
    for (const one of [a, b]) {
      expect(status(one)).toBe("signed-out");
      expect(one.api.get()).toBeNull();
      expect(one.queries.getQueryCache().getAll()).toEqual([]);
    }
    expect(sessionStorage.getItem("wheelhouse:session")).toBeNull();
    await expect.poll(() => store.read("")).toEqual([]);
  });

  it("is noticed by a tab that slept through it", async () => {
    const asleep = tab();
    asleep.session.signIn(aSignIn({ signedInAt: Date.now() - 1_000 }));
    const other = tab();
    await other.start();
    other.session.signOut();
    expect(status(asleep)).toBe("signed-in");
    window.dispatchEvent(new Event("pageshow"));
    expect(asleep.session.state.get()).toEqual({ status: "signed-out", why: "elsewhere" });
  });

  it("leaves alone what was typed since in a tab that noticed nothing of it until it woke", async () => {
    const store = memoryStore();
    const asleep = tab(null, store);
    asleep.session.signIn(aSignIn({ signedInAt: Date.now() - 1_000 }));
    const other = tab(null, store);
    await other.start();
    other.session.signOut();
    await expect.poll(() => store.read("")).toEqual([]);
    other.session.signIn(aSignIn({ signedInAt: Date.now() + 1 }));
    await other.api.get()?.drafts.set("message agent_7", "Dear Grace");
    window.dispatchEvent(new Event("pageshow"));
    expect([status(asleep), status(other)]).toEqual(["signed-out", "signed-in"]);
    await other.api.get()?.drafts.set("message agent_8", "Dear Ada");
    const again = new Drafts(store, identityOf(aSignIn()));
    await again.load();
    expect(again.names("message ")).toEqual(["message agent_7", "message agent_8"]);
  });

  it("leaves nothing that a reload could find", async () => {
    const one = tab();
    one.session.signIn(aSignIn({ signedInAt: Date.now() - 1_000 }));
    const kept = sessionStorage.getItem("wheelhouse:session") ?? "";
    one.session.signOut();
    // A tab restored by the browser brings its old storage back.
    sessionStorage.setItem("wheelhouse:session", kept);
    const restored = tab();
    await restored.start();
    expect(status(restored)).toBe("signed-out");
  });
});

describe("C-21: a key that is no longer accepted", () => {
  it("asks once, holds what was asked, and goes on after a new sign-in", async () => {
    const one = tab();
    one.session.signIn(aSignIn());
    const api = one.api.get();
    if (!api) throw new Error("not signed in");
    service().state.keys = ["new-key"];
    const states: string[] = [];
    one.session.state.subscribe(() => states.push(status(one)));
    const calls = Array.from({ length: 20 }, () => call(api, listTeams, {}));
    await expect.poll(() => service().requests.length).toBe(20);
    await expect.poll(() => states).toEqual(["expired"]);
    expect(one.polling.clock().signedOut).toBe(true);

    one.session.renew(aSignIn({ credential: { ...aSignIn().credential, secret: "new-key" } }));
    const answers = await Promise.all(calls);
    expect(answers.every(({ data }) => data.teams?.length === 1)).toBe(true);
    expect(service().requests).toHaveLength(40);
    // The same person on the same connection: pages and caches stay as they are.
    expect(one.api.get()).toBe(api);
    expect(states).toEqual(["expired", "signed-in"]);
    expect(one.polling.clock().signedOut).toBe(false);
  });

  it("sends nothing while it waits, and gives everything up when the person signs out", async () => {
    const one = tab();
    one.session.signIn(aSignIn());
    const api = one.api.get();
    if (!api) throw new Error("not signed in");
    service().state.keys = [];
    const first = call(api, listTeams, {});
    await expect.poll(() => status(one)).toBe("expired");
    const second = call(api, listTeams, {});
    const controller = new AbortController();
    const third = call(api, listTeams, {}, { signal: controller.signal });
    controller.abort(new Error("left the page"));
    await expect(third).rejects.toThrow("left the page");
    expect(service().requests).toHaveLength(1);
    one.session.signOut();
    await expect(first).rejects.toMatchObject({ failure: { status: 401 } });
    await expect(second).rejects.toThrow("ended");
    expect(service().requests).toHaveLength(1);
  });

  it("never sends what one person asked as another", async () => {
    const one = tab();
    one.session.signIn(aSignIn());
    const api = one.api.get();
    if (!api) throw new Error("not signed in");
    service().state.keys = ["grace-key"];
    one.queries.setQueryData(["ada's"], 1);
    const held = call(api, listTeams, {});
    await expect.poll(() => status(one)).toBe("expired");
    const grace = { kind: "personal", secret: "grace-key", userId: "user_grace", teamId: null } as const;
    one.session.renew(aSignIn({ credential: grace }));
    await expect(held).rejects.toMatchObject({ failure: { status: 401 } });
    expect(service().requests).toHaveLength(1);
    expect(one.api.get()).not.toBe(api);
    expect(one.queries.getQueryData(["ada's"])).toBeUndefined();
  });

  it("is not the new key's fault when an answer to the old one comes late", async () => {
    const one = tab();
    one.session.signIn(aSignIn());
    const api = one.api.get();
    if (!api) throw new Error("not signed in");
    const answer = service().holdBack(listTeams, new Refusal("invalid_credentials"), { times: 1 });
    const asked = call(api, listTeams, {});
    await expect.poll(() => service().requests.length).toBe(1);
    one.session.renew(aSignIn({ credential: { ...aSignIn().credential, secret: "new-key" } }));
    const states: string[] = [];
    one.session.state.subscribe(() => states.push(status(one)));
    answer();
    await asked;
    expect(states).toEqual([]);
    expect(service().requests.map(({ headers }) => headers.get("authorization"))).toEqual([
      `Bearer ${key}`,
      "Bearer new-key",
    ]);
  });

  it("goes on in every tab when one of them signs in again", async () => {
    const channel = browser();
    const [a, b] = [tab(channel()), tab(channel())];
    a.session.signIn(aSignIn());
    const api = b.api.get();
    if (!api) throw new Error("not signed in");
    service().state.keys = ["new-key"];
    const waiting = call(api, listTeams, {});
    await expect.poll(() => status(b)).toBe("expired");
    a.session.renew(aSignIn({ credential: { ...aSignIn().credential, secret: "new-key" } }));
    expect((await waiting).data.teams).toHaveLength(1);
    expect(status(b)).toBe("signed-in");
  });
});
