import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { afterAll, describe, expect, test } from "vitest";
import { flowHarness } from "../../testing/flows.ts";
import { createCodeRunner } from "./code-runner.ts";

const runner = createCodeRunner(1);
afterAll(() => runner.close());
const { signal } = new AbortController();

/** Runs it. @returns its value, or the error's message, and what it logged */
async function run(source: string) {
  const lines: string[] = [];
  const options = {
    limitMs: 60_000,
    requester: { share: [], signal },
    onLine: (text: string) => void lines.push(text),
  };
  const value = await runner.run(source, null, options).catch((error: Error) => error.message);
  return { value, lines };
}

test("code that waits for its turn lets go as soon as nobody wants it any more, and holds up nobody behind it", async () => {
  const over: string[] = [];
  const run = (name: string, source: string, until = signal) =>
    runner
      .run(source, null, { limitMs: 2_000, requester: { share: [], signal: until }, onLine: () => {} })
      .finally(() => over.push(name));
  const busy = run("busy", "for (;;) {}").catch((error: unknown) => error);
  const unwanted = new AbortController();
  const waiting = run("unwanted", "return 1", unwanted.signal);
  const behind = run("behind", "return 2");
  unwanted.abort(new Error("killed"));
  await expect(waiting).rejects.toThrow("killed");
  expect(over).toEqual(["unwanted"]);
  await expect(behind).resolves.toBe(2);
  await expect(busy).resolves.toMatchObject({ message: "the code ran longer than 2 s" });
  expect(over).toEqual(["unwanted", "busy", "behind"]);
});

test("S-70: the time of code begins when it has its thread, also where that has to be started first", async () => {
  const one = createCodeRunner(1);
  const events: string[] = [];
  const run = (name: string) =>
    one.run("console.log('works')", null, {
      limitMs: 60_000,
      onLine: (text) => void events.push(`${name} ${text}`),
      requester: {
        share: [],
        onWait: () => void events.push(`${name} waits`),
        onStart: () => void events.push(`${name} starts`),
      },
    });
  await Promise.all([run("first"), run("second")]);
  await run("third");
  await one.close();
  expect(events).toEqual([
    ...["first waits", "second waits", "first starts", "first works"],
    ...["second starts", "second works", "third starts", "third works"],
  ]);
});

test("S-70: code of another tenant has a thread although a loud one holds all that there are", async () => {
  const one = createCodeRunner(1, 1);
  const stop = new AbortController();
  const requester = (tenant: string) => ({ share: [tenant], signal: stop.signal });
  const run = (tenant: string, source: string) =>
    one.run(source, null, { limitMs: 60_000, requester: requester(tenant), onLine: () => {} });
  const loud = Promise.allSettled([run("loud", "for (;;) {}"), run("loud", "for (;;) {}")]);
  await expect(run("quiet", "return 1")).resolves.toBe(1);
  stop.abort(new Error("killed"));
  expect((await loud).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await one.close();
});

/** How nice each thread of this process is to the others, by its number: 0 as usual, up to 19. */
const niceness = () =>
  new Map(
    readdirSync("/proc/self/task").flatMap((thread) => {
      let stat: string;
      try {
        stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
      } catch {
        // It has ended meanwhile.
        return [];
      }
      // The name, in brackets, may hold blanks. The first field after it is the third of all, niceness the nineteenth.
      return [[thread, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])]];
    }),
  );

// Only Linux gives threads a priority of their own.
test.runIf(process.platform === "linux")(
  "code gives way to all else that the machine has to do, and nothing else does",
  async () => {
    // Those of the tests before may be about to end.
    const before = niceness();
    const one = createCodeRunner(1);
    await one.run("return 1", null, { limitMs: 60_000, requester: { share: [], signal }, onLine: () => {} });
    const added = [...niceness()].filter(([thread]) => !before.has(thread)).map(([, nice]) => nice);
    expect(added.filter((nice) => nice === constants.priority.PRIORITY_LOW)).toHaveLength(1);
    expect([...niceness().values()]).toContain(0);
    await one.close();
  },
);

test("a code node that logs more than its 10,000 lines does its work, and the log says what is left out", async () => {
  const harness = await flowHarness();
  const { outputs, log } = await harness.run(`
  loud:
    type: code
    timeout_s: 60
    source: "for (let i = 1; i <= 12345; i++) console.log(i); return 'done'"
  out: { type: output, value: "{{ loud.value }}" }
`);
  await harness.stop();
  expect(outputs).toEqual({ out: "done" });
  const said = log.filter((line) => line.startsWith("[loud] "));
  expect(said).toHaveLength(1 + 10_000 + 2);
  expect(said.slice(10_000)).toEqual([
    "[loud] 10000",
    "[loud] 2,345 further lines are left out",
    expect.stringMatching(/finished in/),
  ]);
});

const log = (times: number, what: string) => `for (let i = 0; i < ${times}; i++) console.log(${what});`;
test.each([
  ["as many as there may be", log(10_000, "i"), 10_000, "9999"],
  ["one more", log(10_001, "i"), 10_001, "1 further line is left out"],
  [
    "many in one call",
    `console.log("a\\n".repeat(20_000) + "b");`,
    10_001,
    "10,001 further lines are left out",
  ],
  ["more than 8 MB", log(2_000, "'x'.repeat(8_000)"), 1_001, "1,000 further lines are left out"],
  ["before it fails", `${log(10_002, "i")} throw new Error("no");`, 10_001, "2 further lines are left out"],
])("of the lines of code, %s, nothing is lost without a word", async (_, source, count, last) => {
  const { lines } = await run(source);
  const all = lines.join("\n").split("\n");
  expect([all.length, all.at(-1)]).toEqual([count, last]);
});

// Nearly all that it does is done for what it logs.
const busyLine = "{ toJSON() { for (let i = 0; i < 20_000; i++); } }";
test.each(["line", busyLine])(
  "S-401: code that logs without end (%s) ends at its time, and the log says that lines are left out",
  async (line) => {
    const lines: string[] = [];
    const options = { limitMs: 1_000, requester: { share: [] }, onLine: (text: string) => lines.push(text) };
    const source = `console.log("line\\n".repeat(10_001)); for (const line = 1; ; ) console.log(${line})`;
    await expect(runner.run(source, null, options)).rejects.toThrow("the code ran longer than 1 s");
    expect(lines.at(-1)).toMatch(/^[\d,]+ further lines are left out$/);
  },
);

test("a line that is too long is cut, and says how long it is", async () => {
  const { lines } = await run(`console.log("ä".repeat(9_000)); console.log("b".repeat(8_000))`);
  expect(lines.map((line) => line.slice(-20))).toEqual([
    `${"ä".repeat(1)}… (9000 characters)`,
    "b".repeat(20),
  ]);
});

describe("nothing of the service reaches the code", () => {
  const throwing = "{ throw new Error('mine') }";
  test.each([
    ["10n", "10"],
    ["{ a: 1n }", '{"a":"1"}'],
    ["Symbol('s')", "Symbol(s)"],
    ["undefined, null, NaN", "undefined null NaN"],
    ["() => 1", "() => 1"],
    ["new Error('no anchors')", "Error: no anchors"],
    ["new Map([[1, 2]]), new Date(0)", '{} "1970-01-01T00:00:00.000Z"'],
    ["Promise.resolve(1), Promise.reject(2)", "{} {}"],
    ["(() => { const own = {}; own.own = own; return own })()", "[object Object]"],
    [`{ toJSON() ${throwing} }`, "[object Object]"],
    [`{ get a() ${throwing} }`, "[object Object]"],
    [`{ toJSON() ${throwing}, toString() ${throwing} }`, "(a value that cannot be shown)"],
    [`new Proxy({}, { get() ${throwing}, ownKeys() ${throwing} })`, "(a value that cannot be shown)"],
    ["'\\ud800'", expect.any(String)],
    ["", ""],
  ])("by console.log(%s)", async (argument, line) => {
    const source = `
      const seen = [];
      for (const say of Object.values(console)) {
        try { seen.push(typeof say(${argument})); } catch (error) { seen.push(String(error)); }
      }
      return seen;`;
    expect(await run(source)).toEqual({ value: Array(5).fill("undefined"), lines: Array(5).fill(line) });
  });

  test.each([
    ["throw Promise.resolve(1)", /^the code threw /],
    [`throw { get message() ${throwing} }`, /^the code threw /],
    ["throw 1n", /^the code threw 1$/],
    ["throw Symbol('s')", /^the code threw /],
    ["throw { message: { toString: 1, valueOf: 1 } }", /^the code threw /],
    ["throw undefined", /^the code threw undefined/],
    ["throw null", /^the code threw null/],
    ["throw { message: { deep: 1 }, name: 7 }", /./],
    ["return 1n", /^TypeError: /],
    ["const own = {}; own.own = own; return own", /^TypeError: /],
  ])("by %s", async (source, message) => {
    const { value } = await run(source);
    expect(value).toMatch(message);
    expect(value).not.toMatch(/was stopped|reading '|operator|Lifetime|QuickJS/);
    // The thread goes on.
    expect((await run("return 1")).value).toBe(1);
  });
});

test.each([
  ["JSON.stringify = () => 'no JSON'; return [1]", [1]],
  ["JSON.stringify = () => ({}); return [1]", [1]],
  ["Object.prototype.toJSON = () => undefined; return [1]", null],
  ["return 1 })(inputs); return 'no JSON'; ((inputs) => {", "the code returned something that is no JSON"],
  ["return 1 })(inputs); return {}; ((inputs) => {", "the code returned something that is no JSON"],
])("code that meddles with how its value is read harms nobody: %s", async (source, value) => {
  expect((await run(source)).value).toEqual(value);
  expect((await run("return 1")).value).toBe(1);
});

test("code that runs too long is tried again where its node says so", async () => {
  const harness = await flowHarness();
  const { log, execution } = await harness.run(`
  endless: { type: code, timeout_s: 0.1, retries: { times: 1, delay_s: 0.01 }, source: "for (;;) {}" }
`);
  await harness.stop();
  expect(log.filter((line) => line.includes("tries again"))).toEqual([
    expect.stringContaining("the code ran longer than 0.1 s (attempt 1 of 2)"),
  ]);
  expect(execution.error).toContain("the code ran longer than 0.1 s");
});

const deep = "let deep = []; for (let i = 0; i < 100_000; i++) deep = [deep];";
const tooDeep = "the code has calls or values too deep within each other";
test.each([
  ["returns values deep within each other", `${deep} return deep`, tooDeep],
  ["calls itself without end", "const again = () => again() + 1; return again()", tooDeep],
  [
    "keeps more than it may",
    "const all = []; for (;;) all.push(Array(1_000).fill(all.length))",
    "the code used more than 64 MB of memory",
  ],
])(
  "S-401: code that %s fails by a sentence of its own, and the next code runs",
  async (_, source, message) => {
    expect((await run(source)).value).toBe(message);
    expect((await run("return 1")).value).toBe(1);
  },
);

test("S-401: code that goes on after that has its value", async () => {
  const { value } = await run(`${deep} try { JSON.stringify(deep) } catch { return "caught" }`);
  expect(value).toBe("caught");
  expect((await run("return 1")).value).toBe(1);
});

test.each([
  ["values", "return Array(500_001).fill([])", "the code returned more than 500,000 values"],
  [
    "different keys",
    "return Array.from({ length: 20_001 }, (_, at) => ({ ['k' + at]: at }))",
    "the code returned more than 20,000 different keys",
  ],
])(
  "S-282: code that returns more %s than can be read at once fails by how many",
  async (_, source, message) => {
    expect((await run(source)).value).toBe(message);
  },
);
