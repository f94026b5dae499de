/// <reference lib="webworker" />
import "../../api/jitless.ts";
import { makeBodyDesk } from "./body-desk.ts";
import type { ToBodies } from "./body-messages.ts";

// A module worker: what it takes to parse, check and compare a very long conversation costs this thread (C-09).
const scope = self as unknown as DedicatedWorkerGlobalScope;
const take = makeBodyDesk((message) => scope.postMessage(message));
scope.addEventListener("message", ({ data }: MessageEvent<ToBodies>) => take(data));
