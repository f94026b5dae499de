import { z } from "zod";
import { commonFields, defineNode, done, numberField } from "./node.ts";

const maxSeconds = 7 * 24 * 3_600;
const maxTicks = 3_600;

/** Waits without holding a worker, also over restarts. With `log_every` it says in the log how long it has waited. */
export const delay = defineNode({
  type: "delay",
  schema: z.strictObject({
    type: z.literal("delay"),
    ...commonFields,
    /** Up to seven days. */
    seconds: z.union([z.number().min(0).max(maxSeconds), z.string()]),
    /** Seconds between log lines; none where it is missing. */
    log_every: z.number().min(1).optional(),
  }),
  outputs: ["value"],
  waits: true,
  staysInside: true,
  async run({ config, fields, steps, services }) {
    const seconds = numberField(fields, "seconds", 0, maxSeconds);
    const every = Math.min(Math.max(config.log_every ?? seconds, seconds / maxTicks), seconds);
    let ended = 0;
    while (steps.get(`tick${ended + 1}`)?.state === "done") ended++;
    const waited = Math.min(ended * every, seconds);
    if (ended > 0 && waited >= seconds) return done({ value: seconds });
    const key = `tick${ended + 1}`;
    if (!steps.get(key)) {
      // All ticks are counted from the first one, so that small delays of waking do not add up.
      const first = steps.get("tick1")?.wakeAt;
      const behind = first ? services.clock.now().getTime() - (first.getTime() - every * 1_000) : 0;
      const lines = ended > 0 ? [`waited ${Math.round(waited)} of ${seconds} s`] : [];
      await steps.wait(key, Math.min((ended + 1) * every, seconds) * 1_000 - behind, lines);
    }
    return { type: "waiting" };
  },
});
