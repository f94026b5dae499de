/// <reference lib="webworker" />
import { makeComparer, type ToComparer } from "./comparer.ts";

// A module worker: lining up two long logs takes seconds, and costs this thread, not the page.
const scope = self as unknown as DedicatedWorkerGlobalScope;
const take = makeComparer((message, transfer) => scope.postMessage(message, transfer));
scope.addEventListener("message", ({ data }: MessageEvent<ToComparer>) => take(data));
