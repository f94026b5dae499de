import { expect, type Page } from "@playwright/test";
import type { Service } from "./service.ts";

/** What the tests read of a conversation (§2.1). */
export interface Interaction {
  readonly interaction_id: string;
  readonly state: string;
  readonly error_message?: string | null;
}

/** Sends a message to an agent as Ada. @returns the conversation's id */
export async function sendMessage(
  service: Service,
  agent: string,
  message: string,
  interactionId?: string,
): Promise<string> {
  const answer = await service.request("POST", "/start_agent", {
    gummie_id: agent,
    message,
    user_id: "user_ada",
    ...(interactionId === undefined ? {} : { interaction_id: interactionId }),
  });
  expect(answer.status, await answer.clone().text()).toBe(202);
  const started: { interaction_id: string } = await answer.json();
  return started.interaction_id;
}

/** Resolves when the turn has ended. */
export async function turnEnds(service: Service, id: string): Promise<Interaction> {
  const read = async (): Promise<Interaction> =>
    (await service.request("GET", `/agent_status/${id}?user_id=user_ada`)).json();
  await expect
    .poll(async () => (await read()).state, {
      timeout: 90_000,
      intervals: [50, 100, 250],
      message: `the turn of ${id} ends`,
    })
    .not.toBe("ASYNC_PROCESSING");
  return read();
}

/** Writes into the field at the foot of the page and sends it with Enter. */
export async function write(page: Page, agent: string, message: string): Promise<void> {
  const field = page.getByRole("textbox", { name: `Message ${agent}` });
  await field.fill(message);
  await field.press("Enter");
}

/** The messages of the conversation on the page. */
export const messages = (page: Page) => page.getByRole("region", { name: "Messages" });

/** The state beside the conversation's name. */
export async function expectConversationState(page: Page, state: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 }).getByText(state, { exact: true })).toBeVisible();
}
