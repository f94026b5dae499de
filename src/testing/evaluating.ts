import { expect } from "vitest";
import type { AgentService } from "./agents.ts";
import { until } from "./until.ts";

/** What a judging model says of a conversation that is fine. */
export const verdict = (more: object = {}) => ({ summary: "Fine.", call_successful: "success", ...more });

/**
 * Configures evaluations, has conversations and reads their results, all as Kim.
 * @param app is asked at each call: a test has its service only once it began
 */
export function evaluating(app: () => AgentService) {
  const results = async (session: string, agent = "agent_kim", key: "kim" | "lee" = "kim") => {
    const path = `/agents/${agent}/evaluations?session_id=${session}`;
    return (await app().call(key, "GET", path)).body.evaluations;
  };
  return {
    /** Configures the agent from nothing. */
    async configure(change: object, agent = "agent_kim"): Promise<void> {
      const lists = { criteria: [], tags: [], data_points: [], interaction_types: [] };
      const path = `/agents/${agent}/evaluation-config`;
      const { status, body } = await app().call("kim", "PATCH", path, {
        ...{ ...lists, sentiment: null, model_name: null, enabled: true },
        ...{ include_auto_tags: false, frequency: "per_turn" },
        ...change,
      });
      expect(body.error).toBeUndefined();
      expect(status).toBe(200);
    },

    /** Has a conversation of one turn; `judge` are the answers of the model when it judges. @returns its id */
    async talk(
      answer: string,
      { agent = "agent_kim", judge = [] as readonly unknown[] } = {},
    ): Promise<string> {
      const queue = [...judge];
      app().model.otherwise((call) => {
        const judged = JSON.stringify(call.messages).includes("You evaluate a conversation");
        const said = judged ? (queue.length > 1 ? queue.shift() : queue[0]) : answer;
        return { type: "text", text: typeof said === "string" ? said : JSON.stringify(said) };
      });
      const { body } = await app().start("Hello", { gummie_id: agent });
      await app().settled(body.interaction_id);
      return body.interaction_id;
    },

    /** The results of a conversation as they are now, newest first. */
    results,

    /** The results of a conversation once there are so many and all have ended. */
    async evaluated(session: string, count = 1, agent = "agent_kim") {
      await until(`${count} results of ${session}`, async () => {
        const all = await results(session, agent);
        return (
          all.length >= count &&
          all.every(({ status }: { status: string }) => ["completed", "failed"].includes(status))
        );
      });
      return results(session, agent);
    },
  };
}
