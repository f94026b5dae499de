import { expect, it } from "vitest";
import { modelRequest, modelSettings } from "../../testing/model-tests.ts";
import { until } from "../../testing/until.ts";
import { createModels } from "./models.ts";

it("S-247: a provider that is slow is asked no more than its places at a time; another tenant's call goes at once", async () => {
  let sent = 0;
  const stop = new AbortController();
  const models = createModels(modelSettings("http://localhost:1/v1", { local: "fake" }), {
    fetch: (_, init) => {
      sent++;
      return new Promise((_, reject) =>
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
      );
    },
  });
  let waiting = 0;
  const ask = (tenant: string, signal = stop.signal) =>
    models.ask(modelRequest({ signal, requester: { share: [tenant], onWait: () => void waiting++ } }));
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
