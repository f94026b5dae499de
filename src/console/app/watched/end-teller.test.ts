import { describe, expect, test } from "vitest";
import { browserLocks } from "../../../testing/browser-tabs.ts";
import { EndTeller, type Watched } from "./end-teller.ts";
import { tabsOf } from "./tabs.ts";

const key = "run run_1";
const openedAt = 1_000;

const watched = (state: Watched["state"], part: Partial<Watched> = {}): Watched[] => [
  { key, began: 500, state, receivedAt: 0, isKilled: false, ...part },
];
const nobodyLooks = { isOn: true, viewing: new Set<string>(), killed: new Set<string>() };

/** A tab of Ada; `told` is what it showed, `gone` what it took away. */
function tab(locks: LockManager | undefined, at: { now: number }) {
  const told: string[] = [];
  const gone: string[] = [];
  const now = () => at.now;
  const teller = new EndTeller({
    tabs: tabsOf("/api/v1 person user_ada ", locks, now),
    now,
    openedAt,
    show: (ended) => {
      told.push(ended.key);
      return () => gone.push(ended.key);
    },
  });
  teller.setCircumstances(nobodyLooks);
  const unseen = () => [...teller.unseen.get()];
  return { ...teller, teller, told, gone, unseen };
}

/** Long enough for every promise of the locks. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("one tab", () => {
  test("tells once of what was seen to move, and remembers it until somebody looks", async () => {
    const one = tab(browserLocks(), { now: 2_000 });
    one.read(watched("moving"));
    one.read(watched("ended"));
    one.read(watched("ended", { receivedAt: 2_500 }));
    await settled();
    expect(one.told).toEqual([key]);
    expect(one.unseen()).toEqual([key]);
    one.setCircumstances({ ...nobodyLooks, viewing: new Set([key]) });
    expect(one.unseen()).toEqual([]);
    expect(one.gone).toEqual([key]);
  });

  test("does not tell of what had ended when the page was opened", async () => {
    const one = tab(browserLocks(), { now: 2_000 });
    one.read(watched("unread"));
    one.read(watched("ended", { receivedAt: 1_900 }));
    await settled();
    expect(one.told).toEqual([]);
  });

  test("tells of what was begun here and ended too quickly to be seen moving", async () => {
    const one = tab(browserLocks(), { now: 2_000 });
    one.read(watched("ended", { began: 1_500, receivedAt: 1_900 }));
    await settled();
    expect(one.told).toEqual([key]);
  });

  test("does not take the end of the turn before for that of the message just sent", async () => {
    const one = tab(browserLocks(), { now: 2_000 });
    one.read(watched("moving"));
    one.read(watched("ended", { receivedAt: 2_000 }));
    one.read(watched("ended", { began: 3_000, receivedAt: 2_000 }));
    await settled();
    expect(one.told).toEqual([key]);
    one.read(watched("ended", { began: 3_000, receivedAt: 3_500 }));
    await settled();
    expect(one.told).toEqual([key, key]);
  });

  test("is silent while the setting is off, on the page itself, and after a kill that the person asked for", async () => {
    const cases = [
      [{ ...nobodyLooks, isOn: false }, false],
      [{ ...nobodyLooks, viewing: new Set([key]) }, false],
      [{ ...nobodyLooks, killed: new Set([key]) }, true],
    ] as const;
    // Without locks too: what this tab knows itself it need not hear from others.
    const everywhere = [browserLocks, () => undefined].flatMap((locks) =>
      cases.map((one) => [locks, ...one] as const),
    );
    for (const [locks, circumstances, isKilled] of everywhere) {
      const one = tab(locks(), { now: 2_000 });
      one.setCircumstances(circumstances);
      one.read(watched("moving"));
      one.read(watched("ended", { isKilled }));
      await settled();
      expect(one.told).toEqual([]);
      expect(one.unseen()).toEqual([]);
    }
  });

  test("tells of a run that was done before the kill came, and of one that somebody else killed", async () => {
    const done = tab(browserLocks(), { now: 2_000 });
    done.setCircumstances({ ...nobodyLooks, killed: new Set([key]) });
    done.read(watched("moving"));
    done.read(watched("ended"));
    const killed = tab(browserLocks(), { now: 2_000 });
    killed.read(watched("moving"));
    killed.read(watched("ended", { isKilled: true }));
    await settled();
    expect(done.told).toEqual([key]);
    expect(killed.told).toEqual([key]);
  });

  test("forgets what it told when the setting is switched off", async () => {
    const one = tab(browserLocks(), { now: 2_000 });
    one.read(watched("moving"));
    one.read(watched("ended"));
    await settled();
    one.setCircumstances({ ...nobodyLooks, isOn: false });
    expect(one.unseen()).toEqual([]);
    expect(one.gone).toEqual([key]);
  });

  test("works alone where the browser has no locks", async () => {
    const one = tab(undefined, { now: 2_000 });
    one.read(watched("moving"));
    one.read(watched("ended"));
    expect(one.told).toEqual([key]);
  });
});

describe("several tabs", () => {
  test("only one tells, whether they see the end at once or one after the other", async () => {
    const locks = browserLocks();
    const at = { now: 2_000 };
    const tabs = [tab(locks, at), tab(locks, at), tab(locks, at)];
    for (const one of tabs) one.read(watched("moving"));
    at.now = 3_000;
    for (const one of tabs.slice(0, 2)) one.read(watched("ended"));
    await settled();
    at.now = 60_000;
    tabs[2]?.read(watched("ended"));
    await settled();
    expect(tabs.flatMap((one) => one.told)).toEqual([key]);
  });

  test("the next turn of the same conversation is told again, by whichever tab sees it", async () => {
    const locks = browserLocks();
    const at = { now: 2_000 };
    const [one, two] = [tab(locks, at), tab(locks, at)];
    for (const each of [one, two]) each.read(watched("moving"));
    at.now = 3_000;
    for (const each of [one, two]) each.read(watched("ended"));
    await settled();
    at.now = 4_000;
    two.read(watched("moving"));
    at.now = 5_000;
    two.read(watched("ended"));
    await settled();
    expect(one.told.length + two.told.length).toBe(2);
  });

  test("none tells while one of them shows it, or after a kill that was asked for in one of them", async () => {
    const locks = browserLocks();
    const at = { now: 2_000 };
    const [hidden, open] = [tab(locks, at), tab(locks, at)];
    open.setCircumstances({ ...nobodyLooks, viewing: new Set([key]) });
    hidden.read(watched("moving"));
    hidden.read(watched("ended"));
    await settled();
    expect(hidden.told).toEqual([]);
    open.setCircumstances({ ...nobodyLooks, killed: new Set([key]) });
    hidden.read(watched("moving"));
    hidden.read(watched("ended", { isKilled: true }));
    await settled();
    expect(hidden.told).toEqual([]);
  });

  test("a tab that is gone keeps no other from telling", async () => {
    const locks = browserLocks();
    const at = { now: 2_000 };
    const [hidden, open] = [tab(locks, at), tab(locks, at)];
    open.setCircumstances({ ...nobodyLooks, viewing: new Set([key]) });
    open.close();
    await settled();
    hidden.read(watched("moving"));
    hidden.read(watched("ended"));
    await settled();
    expect(hidden.told).toEqual([key]);
  });
});
