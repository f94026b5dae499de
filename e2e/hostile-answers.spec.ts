import * as examples from "../src/testing/hostile/examples.ts";
import { hostileText } from "../src/testing/hostile/faults.ts";
import { badAddresses, leaks, scripts, terminalTricks } from "../src/testing/hostile/payloads.ts";
import type { HostileService } from "../src/testing/hostile/server.ts";
import { expect, expectNoScript, navigateWithin, test } from "./hostile.ts";
import { expectNoSkeleton, expectSound } from "./settled.ts";

const { agent, messages, run, runSummary, session } = examples;
test("C-03 C-15 names like __proto__ and config from data become neither prototypes nor globals", async ({
  signedIn: page,
  hostile,
}) => {
  const names = [
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "config",
    "apiBase",
    "location",
    "body",
  ];
  const outputs = `{${names.map((name) => `"${name}":{"polluted":"yes"}`).join(",")}}`;
  const text = JSON.stringify({ ...run, outputs: null }).replace('"outputs":null', `"outputs":${outputs}`);
  hostile.on("GET /get_pl_run", { body: text, headers: { "content-type": "application/json" } });
  hostile.on("GET /agents", {
    json: { agents: names.map((id) => ({ ...agent, id, name: id })), next_cursor: null },
  });
  await page.goto("/runs/constructor");
  await expect(page.getByText("hasOwnProperty").first()).toBeVisible();
  await page.goto("/agents");
  await expect(page.getByText("apiBase").first()).toBeVisible();
  await page.goto("/agents?agent=__proto__");
  await expectNoSkeleton(page);
  await expectSound(page);
  const found = await page.evaluate(
    (all) => ({
      polluted: ({} as { polluted?: unknown }).polluted,
      clobbered: all.filter((name) => document.getElementById(name) ?? document.getElementsByName(name)[0]),
    }),
    names,
  );
  expect(found).toEqual({ polluted: undefined, clobbered: [] });
});

/** Everything of the service's words is a payload: agents, runs, messages, log, outputs, files, errors, flows. */
function poison(hostile: HostileService): void {
  const all = [...scripts, ...leaks];
  const worst = all.join("\n\n");
  const agentOf = (text: string, at: number) => ({
    ...agent,
    id: at === 0 ? "ag_1" : `ag_${at + 1}`,
    name: text,
    description: worst,
    system_prompt: worst,
    model_name: text,
    metadata: { chat: { starter_prompts: [text] }, [text]: text },
    creator: { ...agent.creator, first_name: text, profile_picture: "https://spy.example.test/face.png" },
    tools: [{ type: text, server_id: text, icon_url: "https://spy.example.test/icon.svg" }],
  });
  const said = all.map((text, at) => ({
    id: `m${at}`,
    role: at % 3 === 0 ? "user" : "assistant",
    timestamp: null,
    content: text,
    parts: [
      { type: "text", text },
      { type: "reasoning", reasoning: text },
      { type: "error", error: text },
      {
        type: "tool_invocation",
        toolName: text,
        toolCallState: "failed",
        result: { args: { [text]: text }, result: text },
      },
      { type: "file", file: { filename: text, media_type: text, artifact_url: badAddresses[at] ?? text } },
    ],
  }));
  hostile.on("GET /agents", { json: { agents: all.map(agentOf), next_cursor: null } });
  hostile.on("GET /agents/{id}", { json: { agent: agentOf(worst, 0) } });
  hostile.on("GET /agents/{id}/sessions", {
    json: { sessions: all.map((name, at) => ({ ...session, id: `int_${at + 1}`, name })), next_cursor: null },
  });
  hostile.on("GET /sessions/{id}", {
    json: { session: { ...session, state: "failed", name: worst, messages: said } },
  });
  hostile.on("GET /runs", {
    json: {
      runs: all.map((text, at) => ({
        ...runSummary,
        run_id: `run_${at + 1}`,
        saved_item_name: text,
        state: at % 2 === 0 ? "FAILED" : text,
        inputs: { [text]: text },
        error: text,
      })),
      next_cursor: null,
    },
  });
  hostile.on("GET /runs/{id}", {
    json: {
      ...runSummary,
      saved_item_name: worst,
      error: worst,
      inputs: { a: worst },
      sub_runs: [],
      parent: null,
    },
  });
  hostile.on("GET /get_pl_run", {
    json: {
      ...run,
      state: "FAILED",
      log: all
        .flatMap((text) => text.split("\n"))
        .map((text) => `2026-11-20T08:15:04.200Z [${text}] ${text}`),
      outputs: Object.fromEntries(all.map((text) => [text, text])),
      files: all.map((name) => ({ name, size: 1, media_type: name })),
    },
  });
  hostile.on("GET /list_saved_items", {
    json: {
      saved_items: all.map((name, at) => ({ saved_item_id: `flow_${at + 1}`, name, description: name })),
    },
  });
  hostile.on("GET /get_inputs", {
    json: { inputs: all.map((name) => ({ name, data_type: name, description: name })) },
  });
}

const everywhere = [
  "/agents?agent=ag_1",
  "/agents/ag_1",
  "/agents/ag_1/settings",
  "/agents/ag_1/conversations/new",
  "/agents/ag_1/conversations/int_1",
  "/runs?run=run_1",
  "/runs/run_1",
  "/runs/new?flow=flow_1",
  "/runs/compare?a=run_1&b=run_2",
];

test("C-04 C-05 C-06 words of the service are never markup, never script, never a request to another host", async ({
  signedIn: page,
  hostile,
}) => {
  poison(hostile);
  for (const address of everywhere) {
    await page.goto(address);
    await expectNoSkeleton(page);
    for (let at = 0; at < 3; at += 1) await page.mouse.wheel(0, at * 3_000);
    const found = await page.evaluate(() => {
      const foreign =
        ":not(head) > script:not([src]), iframe, object, embed, base, video, audio, math, template, img[srcset], link[rel*=fetch]";
      const outside = [...document.querySelectorAll<HTMLElement>("[style*='url(']")].map(
        (one) => one.outerHTML,
      );
      const images = [...document.querySelectorAll("img")]
        .map((one) => one.src)
        .filter((src) => /^https?:/.test(src));
      const links = [...document.querySelectorAll("a[href]")].flatMap((one) => {
        const link = one as HTMLAnchorElement;
        if (link.origin === location.origin) return [];
        const isWeb = link.protocol === "https:" || link.protocol === "http:";
        const isSafe = link.relList.contains("noopener") && link.relList.contains("noreferrer");
        return isWeb && isSafe ? [] : [link.outerHTML];
      });
      const hidden = getComputedStyle(document.body).display === "none" ? ["the page"] : [];
      return [
        ...[...document.querySelectorAll(foreign)].map((one) => one.outerHTML.slice(0, 120)),
        ...outside,
        ...images,
        ...links,
        ...hidden,
      ];
    });
    expect(found, address).toEqual([]);
    await expectNoScript(page);
  }
});

test("C-07 a log colours its text and does nothing else that a terminal would do", async ({
  signedIn: page,
  hostile,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  hostile.on("GET /get_pl_run", { json: { ...run, log: terminalTricks } });
  await page.goto("/runs/run_1");
  const log = page.getByRole("region", { name: "Log" });
  await expect(log.getByText("a link")).toBeVisible();
  await expect(log.getByText("after the clipboard")).toBeVisible();
  await expect(log.locator("a[href*=spy]")).toHaveCount(0);
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  await page.reload();
  await expect(log.getByText("plain")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mine");
  const shown = (await log.textContent()) ?? "";
  expect(shown).not.toContain("\u001b");
  expect(shown).not.toContain("c3RvbGVu");
});

test("C-08 a name that reverses its letters is shown as what it is", async ({ signedIn: page, hostile }) => {
  const name = "annex\u202Egpj.exe";
  const parts = [
    {
      type: "file",
      file: { filename: name, media_type: "x/y", artifact_url: "https://xn--pypal-4ve.com/f" },
    },
  ];
  hostile.on("GET /sessions/{id}", {
    json: { session: { ...session, name, messages: [{ ...messages[1], content: null, parts }] } },
  });
  hostile.on("GET /agents/{id}", { json: { agent: { ...agent, name } } });
  hostile.on("GET /agents", { json: { agents: [{ ...agent, name }], next_cursor: null } });
  hostile.on("GET /runs", { json: { runs: [{ ...runSummary, saved_item_name: name }], next_cursor: null } });
  hostile.on("GET /get_pl_run", { json: { ...run, files: [{ name, size: 1, media_type: "x/y" }] } });
  hostile.on("GET /runs/{id}", {
    json: { ...runSummary, saved_item_name: name, sub_runs: [], parent: null },
  });
  for (const address of [
    "/agents",
    "/agents/ag_1",
    "/agents/ag_1/conversations/int_1",
    "/runs",
    "/runs/run_1",
  ]) {
    await page.goto(address);
    await expect(page.getByText(/annex/).first()).toBeVisible();
    const turned = await page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .filter((one) =>
          [...one.childNodes].some(
            (text) => text.nodeType === 3 && /[\u202a-\u202e\u2066-\u2069]/.test(text.textContent ?? ""),
          ),
        )
        .filter((one) => one.closest("title") === null)
        .map((one) => one.outerHTML.slice(0, 160)),
    );
    expect(turned, address).toEqual([]);
  }
});

test("C-11 C-12 times and numbers that no clock has are shown as they came", async ({
  signedIn: page,
  hostile,
}) => {
  const times = [
    ["2026-11-20T08:15:04", "2026-11-20T08:15:01"],
    ["0001-01-01T00:00:00Z", "275760-09-13T00:00:00Z"],
    ["+275760-09-13T00:00:00.001Z", "NaN"],
    ["yesterday", ""],
    ["2026-11-20T08:15:04+00:00", "1999-01-01T00:00:00+00:00"],
    ["1e400", "-0"],
  ];
  const runs = times.map(([created_ts, finished_ts], at) => ({
    ...runSummary,
    run_id: `9007199254740993${at}`,
    saved_item_name: `Time ${at}.`,
    created_ts,
    finished_ts,
    log_lines: -5,
  }));
  hostile.on("GET /runs", { json: { runs, next_cursor: null } });
  await page.goto("/runs");
  for (const { saved_item_name } of runs) await expect(page.getByText(saved_item_name).first()).toBeVisible();
  await expectSound(page);
  await expect(page.getByText(/(^|\s)[-−]\d+(\.\d+)? ?(ms|s|min|h|d)\b/)).toHaveCount(0);
  for (const [created_ts, finished_ts] of times) {
    const text = JSON.stringify({ ...run, created_ts, finished_ts, outputs: null });
    const outputs = '{"id": 9007199254740993, "zero": -0, "far": 1e400}';
    hostile.on("GET /get_pl_run", {
      body: text.replace('"outputs":null', `"outputs":${outputs}`),
      headers: { "content-type": "application/json" },
    });
    await navigateWithin(page, `/runs/${encodeURIComponent(`t ${created_ts}`)}`);
    await expect(page.getByText("a line of its own")).toBeVisible();
    const said = (await page.getByRole("main").textContent()) ?? "";
    expect(said, created_ts).not.toMatch(/\bNaN\b(?!")|Invalid Date/);
    expect(said, created_ts).not.toMatch(/[^\d][-−]\d+(\.\d+)? (ms|s|min|h|d)\b/);
  }
});

const impostors: Record<string, Parameters<HostileService["on"]>[1]> = {
  "a page of a proxy": { body: "<!doctype html><html><body>Sign in to the Wi-Fi</body></html>" },
  "JSON that ends in the middle": {
    body: '{"agents": [{"id": "ag',
    headers: { "content-type": "application/json" },
  },
  nothing: { body: "", headers: { "content-type": "application/json" } },
  "no content": { status: 204, body: "" },
  "a wrong content type that is a page": {
    body: "<html></html>",
    headers: { "content-type": "application/json" },
  },
  "broken gzip": {
    body: "not gzip",
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
  },
  "a list where an object belongs": { json: [1, 2] },
  "an answer that breaks off": { json: { agents: [agent] }, cut: "middle" },
  "no answer": { cut: "before" },
  "a redirect": { status: 302, body: "x", headers: { location: "https://spy.example.test/" } },
};

test("C-13 C-40 what is no answer of the service is called so, keeps the page, and is asked again on request", async ({
  signedIn: page,
  hostile,
  watched,
}) => {
  watched.allow(/Failed to load resource/);
  const pages: [string, string][] = [
    ["/agents", "GET /agents"],
    ["/agents/ag_1", "GET /agents/{id}"],
    ["/agents/ag_1/conversations/int_1", "*"],
    ["/runs/run_1", "GET /get_pl_run"],
    ["/runs", "GET /runs"],
  ];
  let at = 0;
  for (const [name, answer] of Object.entries(impostors)) {
    const [address, route] = pages[at % pages.length] ?? ["", ""];
    at += 1;
    hostile.on(route, answer);
    await page.goto(address);
    const alert = page.getByRole("main").getByRole("alert").first();
    await expect(alert, `${name} at ${address}`).toBeVisible();
    await expectSound(page);
    hostile.calm(route);
    const again = page.getByRole("button", { name: /^(Retry|Try again)$/ }).first();
    await expect(async () => {
      // A read of the page's own may be there first, and take the button away.
      if (await again.isVisible()) await again.click({ timeout: 5_000 });
      await expect(
        page.getByRole("main").getByRole("alert"),
        `${name} at ${address}, healthy again`,
      ).toHaveCount(0);
    }).toPass({ timeout: 60_000 });
    await expectNoSkeleton(page);
  }
});

test("C-13 a byte order mark before the JSON is no reason to refuse it", async ({
  signedIn: page,
  hostile,
}) => {
  hostile.on("GET /agents", {
    body: `\uFEFF${JSON.stringify({ agents: [agent], next_cursor: null })}`,
    headers: { "content-type": "application/json" },
  });
  await page.goto("/agents");
  await expect(page.getByText(agent.name).first()).toBeVisible();
});

test("C-14 a reply that imitates the console has no field, no button and no form", async ({
  signedIn: page,
  hostile,
}) => {
  const text = `# Session expired\n\n<form><input type="password" placeholder="Key"><button>Sign in</button></form>\n\n- [ ] Approve\n- [x] Kill\n\n<dialog open>Approve?</dialog>\n\n[Approve](/runs/new)`;
  const parts = [{ id: "t", type: "text", text }];
  hostile.on("GET /sessions/{id}", {
    json: { session: { ...session, messages: [messages[0], { ...messages[1], content: null, parts }] } },
  });
  await page.goto("/agents/ag_1/conversations/int_1");
  await expect(page.getByText("Session expired").first()).toBeVisible();
  await expect(page.locator("main input[type=password], main dialog, main form form")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Sign in|Approve/ })).toHaveCount(0);
  const enabled = page.locator("main input[type=checkbox]:not([disabled])");
  await expect(enabled).toHaveCount(0);
});

test("hostile texts in every list are kept inside their row", async ({ signedIn: page, hostile }) => {
  hostile.on("GET /runs", {
    json: {
      runs: [{ ...runSummary, run_id: "run_2", saved_item_name: hostileText.repeat(50) }, runSummary],
      next_cursor: null,
    },
  });
  await page.goto("/runs");
  await expect(page.getByText("Nightly report").first()).toBeVisible();
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(wide).toBe(0);
});
