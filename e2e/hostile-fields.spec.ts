import type { Page } from "@playwright/test";
import * as examples from "../src/testing/hostile/examples.ts";
import { everyField, type Fault, faultsOf, pairsOf } from "../src/testing/hostile/faults.ts";
import { expect, expectNoScript, test } from "./hostile.ts";
import { expectNoSkeleton, expectSound } from "./settled.ts";

const { agent, messages, run, runSummary, session } = examples;

/** The faults of a body, each in an object that still says which it is in every other field that can carry words. */
function numbered<T extends object>(
  body: (id: string) => T,
  faults: (body: T) => Fault[] = faultsOf,
): { id: string; fault: Fault }[] {
  return faults(body("mut")).map((_, at) => {
    const id = `mut_${at}`;
    const fault = faults(body(id))[at];
    if (!fault) throw new Error("no such fault");
    return { id, fault };
  });
}

const say = ({ path, kind }: Fault) => `${path.join(".")}: ${kind}`;

/**
 * Opens each address without loading the console anew and looks whether the page stands and still says the id.
 * @returns what was wrong, by address
 */
async function walk(page: Page, stops: { address: string; id: string; fault: string }[]): Promise<string[]> {
  return page.evaluate(async (all) => {
    const wrong: string[] = [];
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    for (const { address, id, fault } of all) {
      history.pushState({}, "", address);
      const until = performance.now() + 30_000;
      const text = () => document.querySelector("main")?.textContent ?? "";
      const isThere = () => document.querySelector(".appear-late") === null && text().includes(id);
      while (!isThere() && performance.now() < until) await frame();
      const said = text();
      if (!isThere())
        wrong.push(`${fault}: the rest is not shown at ${location.pathname}: ${said.slice(0, 160)}`);
      const unworded =
        /\bNaN\b|\bundefined\b|\[object |Invalid Date|\bInfinity\b|This page could not be shown/.exec(said);
      if (unworded) wrong.push(`${fault}: says ${unworded[0]}`);
    }
    return wrong;
  }, stops);
}

/** All kinds of faults, all pairs: `npm run test:long`. */
const long = process.env.WHEELHOUSE_LONG === "1";

const few = new Set(["missing", "null", "an object", "a list", "a huge number", "a hostile text"]);

test("C-01 a run of which any one field is missing, null or of another type is shown with all the others", async ({
  signedIn: page,
  hostile,
}) => {
  const faults = numbered(
    (id) => ({
      ...run,
      run_id: id,
      log: [`2026-11-20T08:15:04.200Z [reader] started for ${id}`, `a line of ${id}`],
      outputs: { greeting: `Hello, ${id}`, rows: [{ a: 1 }] },
    }),
    everyField,
  );
  const byId = new Map(faults.map(({ id, fault }) => [id, fault.body]));
  hostile.on("GET /get_pl_run", ({ query }) => ({ json: byId.get(query.get("run_id") ?? "") ?? run }));
  await page.goto("/runs/run_1");
  await expectNoSkeleton(page);
  const wrong = await walk(
    page,
    faults.map(({ id, fault }) => ({ address: `/runs/${id}`, id, fault: say(fault) })),
  );
  expect(wrong).toEqual([]);
  await expectNoScript(page);
});

test("C-01 the inputs, sub-runs and parent of a run may be broken in any one field", async ({
  signedIn: page,
  hostile,
}) => {
  const faults = numbered(
    (id) => ({ ...(examples.examples["GET /runs/{id}"] as object), run_id: id }),
    everyField,
  ).filter(({ fault }) => !long || few.has(fault.kind));
  const byId = new Map(faults.map(({ id, fault }) => [id, fault.body]));
  hostile.on("GET /runs/{id}", ({ path }) => ({ json: byId.get(path.split("/").at(-1) ?? "") }));
  hostile.on("GET /get_pl_run", ({ query }) => ({
    json: { ...run, run_id: query.get("run_id"), log: [`a line of ${query.get("run_id")}`] },
  }));
  await page.goto("/runs/run_1");
  await expectNoSkeleton(page);
  const wrong = await walk(
    page,
    faults.map(({ id, fault }) => ({
      address: `/runs/${id}`,
      id: `a line of ${id}`,
      fault: say(fault),
    })),
  );
  expect(wrong).toEqual([]);
});

/** How the name begins that an agent is shown with; null where it has none and is shown with its id. */
function calledBy(body: unknown): string | null {
  const name = typeof body === "object" && body !== null && "name" in body ? body.name : null;
  return typeof name === "string" && name !== "" ? name.slice(0, 9) : null;
}

test("C-01 a run or an agent with any two fields broken, and more of them, still has its page", async ({
  signedIn: page,
  hostile,
}) => {
  // Four hundred pages, a tenth of them in the short run.
  test.setTimeout(600_000);
  const chosen = <T>(all: T[]) => all.filter((_, at) => long || at % 10 === 0);
  const runs = chosen(numbered((id) => ({ ...run, run_id: id }), pairsOf));
  const agents = chosen(numbered((id) => ({ ...agent, id, name: `Agent ${id}` }), pairsOf));
  const runOf = new Map(runs.map(({ id, fault }) => [id, fault.body]));
  const agentOf = new Map(agents.map(({ id, fault }) => [id, { agent: fault.body }]));
  hostile.on("GET /get_pl_run", ({ query }) => ({ json: runOf.get(query.get("run_id") ?? "") ?? run }));
  hostile.on("GET /agents/{id}", ({ path }) => ({ json: agentOf.get(path.split("/").at(-1) ?? "") }));
  await page.goto("/runs/run_1");
  await expectNoSkeleton(page);
  const wrong = await walk(page, [
    ...runs.map(({ id, fault }) => ({ address: `/runs/${id}`, id, fault: say(fault) })),
    ...agents.map(({ id, fault }) => ({
      address: `/agents/${id}/settings`,
      id: calledBy(fault.body) ?? id,
      fault: say(fault),
    })),
  ]);
  expect(wrong).toEqual([]);
  await expectNoScript(page);
});

test("C-01 an agent's page stands with any one field of the agent broken", async ({
  signedIn: page,
  hostile,
}) => {
  const faults = numbered(
    (id) => ({ agent: { ...agent, id, name: `Agent ${id}`, description: `About ${id}` } }),
    everyField,
  ).filter(({ fault }) => (!long || few.has(fault.kind)) && fault.path.length > 1);
  const byId = new Map(faults.map(({ id, fault }) => [id, fault.body]));
  hostile.on("GET /agents/{id}", ({ path }) => ({ json: byId.get(path.split("/").at(-1) ?? "") }));
  await page.goto("/agents/mut_20/settings");
  await expectNoSkeleton(page);
  const wrong = await walk(
    page,
    faults.map(({ id, fault }) => ({
      address: `/agents/${id}/settings`,
      id: fault.path[1] === "name" ? `About ${id}` : `Agent ${id}`,
      fault: say(fault),
    })),
  );
  expect(wrong).toEqual([]);
  await expectNoScript(page);
});

test("C-01 C-03 a list of agents, runs or conversations shows every row beside the broken ones", async ({
  signedIn: page,
  hostile,
}) => {
  const agents = numbered((id) => ({ ...agent, id, name: `Agent ${id}.` }));
  hostile.on("GET /agents", {
    json: { agents: [...agents.map(({ fault }) => fault.body), null, 7, agent, agent], next_cursor: null },
  });
  await page.goto("/agents");
  await expectNoSkeleton(page);
  await expectSound(page);
  await expectRows(page, agents, "name", (id) => `Agent ${id}.`);

  const runs = numbered((id) => ({ ...runSummary, run_id: id, saved_item_name: `Flow ${id}.` }));
  hostile.on("GET /runs", {
    json: { runs: [...runs.map(({ fault }) => fault.body), null, runSummary, runSummary], next_cursor: null },
  });
  await page.goto("/runs");
  await expectNoSkeleton(page);
  await expectSound(page);
  await expectRows(page, runs, "saved_item_name", (id) => `Flow ${id}.`);

  const sessions = numbered((id) => ({ ...session, id, name: `Talk ${id}.` }));
  hostile.on("GET /agents/{id}/sessions", {
    json: {
      sessions: [...sessions.map(({ fault }) => fault.body), "odd", session, session],
      next_cursor: null,
    },
  });
  await page.goto("/agents/ag_1");
  await expectNoSkeleton(page);
  await expectSound(page);
  await expectRows(page, sessions, "name", (id) => `Talk ${id}.`);
  await expectNoScript(page);
});

async function expectRows(
  page: Page,
  faults: { id: string; fault: Fault }[],
  nameField: string,
  nameOf: (id: string) => string,
) {
  const idField = nameField === "saved_item_name" ? "run_id" : "id";
  const named = faults.filter(({ fault }) => fault.path[0] !== nameField && fault.path[0] !== idField);
  const missing = async () => {
    const text = (await page.getByRole("main").textContent()) ?? "";
    return named.filter(({ id }) => !text.includes(nameOf(id))).map(({ fault }) => say(fault));
  };
  await expect.poll(missing).toEqual([]);
}

test("C-01 a conversation shows every message beside the broken ones, to its end", async ({
  signedIn: page,
  hostile,
}) => {
  const message = messages[1];
  const faults = numbered((id) => ({ ...message, id }));
  const all = [
    ...messages,
    ...faults.map(({ fault }) => fault.body),
    null,
    7,
    { ...messages[0], id: "last" },
  ];
  hostile.on("GET /sessions/{id}", { json: { session: { ...session, messages: all } } });
  await page.goto("/agents/ag_1/conversations/int_1");
  await expectNoSkeleton(page);
  const log = page.getByRole("log").or(page.getByRole("feed")).or(page.locator("main")).first();
  await expect(log).toBeVisible();
  for (let at = 0; at < 25; at += 1) {
    await expectSound(page);
    await page.getByRole("main").hover();
    await page.mouse.wheel(0, at < 12 ? -6_000 : 12_000);
  }
  await expectNoScript(page);
});

test("C-02 a state, role, part or type that no document names is shown as it came, and nothing is offered on it", async ({
  signedIn: page,
  hostile,
}) => {
  hostile.on("GET /get_pl_run", { json: { ...run, state: "HIBERNATING", finished_ts: null } });
  await page.goto("/runs/run_1");
  await expect(page.getByRole("main").getByText("HIBERNATING").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop run" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Live/ })).toBeVisible();
  const odd = [
    messages[0],
    { id: "x", role: "narrator", timestamp: null, content: "It was a dark night", parts: [] },
    {
      id: "y",
      role: "assistant",
      timestamp: null,
      content: null,
      parts: [
        { type: "hologram", beams: 3 },
        {
          type: "tool_invocation",
          toolName: "dance",
          toolCallState: "levitating",
          result: { args: { a: 1 } },
        },
      ],
    },
  ];
  hostile.on("GET /sessions/{id}", { json: { session: { ...session, state: "dreaming", messages: odd } } });
  await page.goto("/agents/ag_1/conversations/int_1");
  for (const text of ["dreaming", "It was a dark night", "hologram", "levitating"])
    await expect(page.getByText(text).first()).toBeVisible();
  await expectSound(page);
});
