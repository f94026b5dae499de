import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

/** What Kim is asked to pay for a source of one text. */
async function creditsOf(text: string): Promise<number> {
  const { body } = await app.call("kim", "POST", "/brain/sources", { name: "Tides", require_approval: true });
  const path = `/brain/sources/${body.source.id}`;
  const files = [{ file_name: "tides.txt", file_content: Buffer.from(text).toString("base64") }];
  await app.call("kim", "POST", `${path}/files`, { files });
  const estimate = async () => (await app.call("kim", "GET", `${path}/estimate`)).body.estimate;
  await until("it is read", async () => (await estimate()).status === "completed");
  return (await estimate()).estimated_credits;
}

it("S-371: a document costs no more for a million blanks in it", async () => {
  const blanks = " ".repeat(1_000_000);
  const hole = "\n".repeat(1_000_000);
  expect(await creditsOf(`High water${blanks}at noon.${hole}Low water.`)).toBe(
    await creditsOf("High water at noon.\n\nLow water."),
  );
});
