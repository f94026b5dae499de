/** How a state looks. The contract's state tables say which tone, shape and word a state has; this room only draws it. */
export type Tone = "running" | "done" | "failed" | "stopped" | "stopping" | "waiting" | "unknown";

/** Colour of the word beside a shape in a list: coloured only for what moves, failed or was stopped. */
export const toneWord: Record<Tone, string> = {
  running: "text-state-running-fg",
  done: "text-muted",
  failed: "text-state-failed-fg",
  stopped: "text-state-stopped-fg",
  stopping: "text-state-stopped-fg",
  waiting: "text-muted",
  unknown: "text-state-unknown-fg",
};

/** Fill of a bar: the ordinary case is quiet, so that only trouble has colour. */
export const toneBar: Record<Tone, string> = {
  running: "bg-state-running-mark",
  done: "bg-chart-quiet",
  failed: "bg-state-failed-mark",
  stopped: "bg-state-stopped-mark",
  stopping: "bg-state-stopped-mark",
  waiting: "bg-chart-ghost",
  unknown: "bg-state-unknown-mark",
};
