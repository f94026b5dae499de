import { expect } from "@playwright/test";
import type { Service } from "./service.ts";

/** What the tests read of a conversation (§2.1). */
export interface Turn {
  readonly interaction_id: string;
  readonly state: string;
  readonly response?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly parts: readonly { readonly type: string }[];
  }[];
}

/** Sends Ada's message to the sample's scribe, in a conversation of its own unless one is named. */
export function sendMessage(service: Service, message: string, interactionId?: string): Promise<Response> {
  const continued = interactionId === undefined ? {} : { interaction_id: interactionId };
  const body = { gummie_id: "agent_scribe", message, user_id: "user_ada", ...continued };
  return service.request("POST", "/start_agent", body);
}

/** @returns the conversation's id */
export async function startTurn(service: Service, message: string): Promise<string> {
  const answer = await sendMessage(service, message);
  expect(answer.status, await answer.clone().text()).toBe(202);
  const started: { interaction_id: string } = await answer.json();
  return started.interaction_id;
}

export async function readTurn(service: Service, id: string): Promise<Turn> {
  const answer = await service.request("GET", `/agent_status/${id}?user_id=user_ada`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json();
}

/** Resolves with the conversation as soon as its turn is over. */
export async function turnEnds(service: Service, id: string, seconds = 90): Promise<Turn> {
  let turn = await readTurn(service, id);
  await expect
    .poll(
      async () => {
        turn = await readTurn(service, id);
        return turn.state;
      },
      { timeout: seconds * 1000, intervals: [50, 100, 250], message: `turn of ${id} ends` },
    )
    .not.toBe("ASYNC_PROCESSING");
  return turn;
}
