import type { BodyPort } from "../console/lib/bodies/body-client.ts";
import { makeBodyDesk } from "../console/lib/bodies/body-desk.ts";
import type { FromBodies } from "../console/lib/bodies/body-messages.ts";

/** The reader of big answers without a worker: the same desk, its messages copied as a worker's would be. */
export function bodyPort(onPost: (message: FromBodies) => void = () => {}): BodyPort {
  let take: ((message: FromBodies) => void) | null = null;
  let open = true;
  const desk = makeBodyDesk((message) => {
    onPost(message);
    const copy = structuredClone(message);
    queueMicrotask(() => open && take?.(copy));
  });
  return {
    postMessage: (message) => desk(structuredClone(message)),
    listen: (onMessage) => {
      take = onMessage;
    },
    terminate: () => {
      open = false;
    },
  };
}
