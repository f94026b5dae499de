import type { Page, Response } from "@playwright/test";
import { expectInLog, expectRunState, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { startRun } from "./runs.ts";
import { startTurn } from "./turns.ts";

function isOf(address: string, response: Response): boolean {
  const { pathname, search } = new URL(response.url());
  return `${pathname}${search}`.includes(address);
}

/**
 * Waits until the last polls of one question by these pages together are on average further from each other, by the
 * browser's own clock. Each has to have polled before it hears of the others.
 */
async function expectGapsOver(ms: number, pages: readonly Page[], address: string): Promise<void> {
  const polls = new Map<string, number[]>();
  const note = (response: Response) => {
    const request = response.request();
    if (!isOf(address, response) || request.headers()["x-wheelhouse-poll"] === undefined) return;
    polls.set(request.url(), [...(polls.get(request.url()) ?? []), request.timing().startTime]);
  };
  const gap = () => {
    const times = [...polls.values()].find(({ length }) => length > 6)?.slice(-7) ?? [0];
    return (Math.max(...times) - Math.min(...times)) / (times.length - 1);
  };
  for (const page of pages) page.on("response", note);
  await expect.poll(gap, { timeout: 60_000 }).toBeGreaterThan(ms);
  for (const page of pages) page.off("response", note);
}

const linkTo = (page: Page, run: string) => page.getByRole("main").locator(`a[href^="/runs/${run}"]`).first();

/** Opens an address in both and waits until each has read it. */
async function openInBoth(pages: readonly Page[], path: string, address: string): Promise<void> {
  for (const one of pages) {
    const read = one.waitForResponse((response) => isOf(address, response), { timeout: 60_000 });
    await one.goto(path);
    await read;
  }
}

test("two tabs on one page ask once, both show what is new, and one goes on when the other is closed", async ({
  page,
  context,
  service,
}) => {
  const id = await startRun(service, "flow_long");
  await signInByKey(page);
  const other = await context.newPage();
  const both = [page, other];

  await test.step("the list of runs", async () => {
    await openInBoth(both, "/runs", "/runs?");
    for (const one of both) await expect(linkTo(one, id)).toBeVisible();
    // Every 2 s while something is new; two that know nothing of each other: every second at most.
    await expectGapsOver(1_600, both, "/runs?");
    const heard = await startRun(service, "flow_hello", { name: "Heard" });
    for (const one of both) await expect(linkTo(one, heard)).toBeVisible();
  });

  await test.step("an open run, which a worker reads", async () => {
    await openInBoth(both, `/runs/${id}`, "/get_pl_run?");
    for (const one of both) await expectRunState(one, "Running");
    // It writes a line each second, so that it is read every half.
    await expectGapsOver(400, both, "/get_pl_run?");
    const lines = await page
      .getByRole("region", { name: "Log" })
      .getByText(/^waited \d+ of/)
      .count();
    for (const one of both) await expectInLog(one, `waited ${lines + 2} of 600 s`);
    await service.request("POST", "/kill_pipeline", { run_id: id, user_id: "user_ada" });
    for (const one of both) await expectRunState(one, "Stopped");
  });

  await test.step("a conversation", async () => {
    const talk = await startTurn(service, '/run_flow {"saved_item_id": "flow_long"}');
    await openInBoth(both, `/agents/agent_scribe/conversations/${talk}`, "/sessions/");
    await expectGapsOver(400, both, "/sessions/");
  });

  await test.step("one is closed", async () => {
    await page.close();
    await other.goto("/runs");
    await expect(linkTo(other, id)).toBeVisible();
    const alone = await startRun(service, "flow_hello", { name: "Alone" });
    await expect(linkTo(other, alone)).toBeVisible();
  });
});
