import { expect, it } from "vitest";
import { until } from "../../testing/until.ts";
import { createModels } from "./models.ts";
import { readModelSettings } from "./settings.ts";

const settings = readModelSettings({
  WHEELHOUSE_OPENAI_COMPATIBLE_URL: "http://localhost:1/v1",
  WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "m",
});

it("S-247: a provider that is slow is asked no more than its places at a time; another tenant's call goes at once", async () => {
  let sent = 0;
  const stop = new AbortController();
  const models = createModels(settings, {
    fetch: (_, init) => {
      sent++;
      return new Promise((_, reject) =>
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
      );
    },
  });
  let waiting = 0;
  const ask = (tenant: string, signal = stop.signal) =>
    models.ask({
      ...{ model: "local/m", system: "", messages: [{ role: "user", text: "Hello" }], tools: [] },
      ...{ temperature: null, maxTokens: null, idempotencyKey: "exe_1:model-1", signal },
      requester: { share: [tenant], onWait: () => void waiting++ },
    });
  const many = Array.from({ length: 60 }, () => ask("team_a").catch(() => null));
  await until("the places to be taken", async () => sent >= 50);
  expect([sent, waiting]).toEqual([50, 10]);
  const other = ask("team_b").catch(() => null);
  await until("the other's to be sent", async () => sent === 51);
  stop.abort();
  await Promise.all([...many, other]);
  const again = new AbortController();
  const next = Array.from({ length: 50 }, () => ask("team_a", again.signal).catch(() => null));
  await until("as many to be sent as before", async () => sent === 101);
  again.abort();
  await Promise.all(next);
});
