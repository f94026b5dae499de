import type { Browser, Page } from "@playwright/test";
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
