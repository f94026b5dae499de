import { eventLoopTurn } from "../event-loop-turn.ts";

/** So long texts are looked through before all else has a turn, in ms. */
const sliceMs = 8;
let began = 0;

/** Works through steps, and lets all else have its turn between two of them where time is up; also before the first. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    if (performance.now() - began > sliceMs) {
      await eventLoopTurn();
      began = performance.now();
    }
    const step = steps.next();
    if (step.done) return step.value;
  }
}
