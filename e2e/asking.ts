import { type Browser, expect, type Page } from "@playwright/test";
import { signInByKey } from "./console.ts";
import { keys, type Service } from "./service.ts";

/** Grace, in a browser of her own. */
export async function grace(browser: Browser, service: Service): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await signInByKey(page, { key: keys.grace, user: "user_grace" });
  return page;
}

/** The question that is shown beside the list. */
export const question = (page: Page) => page.getByRole("region", { name: "The question" });

/** Starts a conversation whose agent asks something. @returns its id, and that of the question once it waits */
export async function startAsking(service: Service, body: object) {
  const answer = await service.request("POST", "/start_agent", body);
  expect(answer.status, await answer.clone().text()).toBe(202);
  const { interaction_id: conversation }: { interaction_id: string } = await answer.json();
  let waiting = "";
  await expect
    .poll(async () => {
      const read = await service.request("GET", `/inbox?state=waiting&session_id=${conversation}`);
      const list: { items: { id: string }[] } = await read.json();
      waiting = list.items[0]?.id ?? "";
      return waiting;
    })
    .not.toBe("");
  return { conversation, question: waiting };
}
