import type { Page } from "@playwright/test";

/** Two keys after each other, as `g r`: nothing is waited for in between, for the second has to come soon. */
export async function pressPair(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}
