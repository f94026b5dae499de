import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { agentStatus } from "../../../contract/interactions.ts";
import { interaction } from "../../../testing/hostile/examples.ts";
import { eachFieldOf, faultsOf } from "../../../testing/hostile/faults.ts";
import { anyJson } from "../../../testing/msw.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";
import { receive } from "../../api/receive.ts";
import { sanitizeJson } from "../../api/sanitize-json.ts";
import type { MessageIn } from "./message-rows.ts";
import { createConversationModel } from "./model.ts";

const service = mockServicePerTest();
viewSizes();
const core = { as: { known: { named: null, tried: { live_messages: false, sessions: false } } } };
const unworded = /\bNaN\b|\bundefined\b|\[object |Invalid Date|\bInfinity\b|This page could not be shown/;

it("C-01 whatever is broken in the core's answer, the messages around it are rows", () => {
  for (const { path, kind, body } of faultsOf(interaction)) {
    const say = `${path.join(".")}: ${kind}`;
    const text = JSON.stringify(body);
    const { data } = receive(agentStatus.response, sanitizeJson(JSON.parse(text), text));
    const messages = (data?.messages ?? []) as readonly (MessageIn | null)[];
    const { rows, turns } = createConversationModel()(messages);
    expect(new Set(rows.map((row) => row.key)).size, say).toBe(rows.length);
    expect(
      turns.every((turn) => turn.row < rows.length),
      say,
    ).toBe(true);
    if (path[0] !== "messages") expect(rows.length, say).toBeGreaterThan(5);
    // Only the first message is broken, message by message: the second one is there whatever happens to it.
    else if (path.length > 1) expect(JSON.stringify(rows), say).toContain("It is urgent.");
  }
});

it("C-01 a conversation of the core is shown with any one field of its answer broken", async () => {
  const faults = eachFieldOf({ ...interaction, messages: [...interaction.messages].reverse() });
  service().override(agentStatus, ({ params }) => {
    const at = Number(params.interaction_id.replace("mut_", ""));
    return anyJson(faults[at]?.body ?? interaction) as never;
  });
  const { router } = renderConsole("/agents/agent_clerk/conversations/int_1", core);
  await screen.findByRole("region", { name: "Messages" });
  for (const [at, { path, kind }] of faults.entries()) {
    const say = `${path.join(".")}: ${kind}`;
    await act(() =>
      router.navigate({
        to: "/agents/$agentId/conversations/$interactionId",
        params: { agentId: "agent_clerk", interactionId: `mut_${at}` },
      }),
    );
    const main = screen.getByRole("main");
    // What is not broken is there: the person's own message, or, where all messages are, the answer.
    const rest = path.length === 1 && path[0] === "messages" ? "Sorted" : "Please sort this";
    await waitFor(() => expect(main.textContent, say).toContain(rest));
    expect(main.textContent, say).not.toMatch(unworded);
    expect(screen.getByRole("textbox", { name: /^Message/ }), say).toBeInTheDocument();
  }
}, 300_000);
