/// <reference lib="webworker" />
import "../../../api/jitless.ts";
import { makeSearchHost } from "./search-host.ts";
import type { ToSearch } from "./search-messages.ts";

// A module worker of its own: a pattern that never comes to an end takes no log with it that somebody looks at. The
// page's types are in force in this room, so that `self` is a window to them.
const scope = self as unknown as DedicatedWorkerGlobalScope;
const take = makeSearchHost((message) => scope.postMessage(message), { fetch: fetch.bind(scope) });
scope.addEventListener("message", ({ data }: MessageEvent<ToSearch>) => take(data));
