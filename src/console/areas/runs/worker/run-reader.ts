/// <reference lib="webworker" />
import "../../../api/jitless.ts";
import { RunDesk } from "./run-desk.ts";
import type { ToWorker } from "./run-messages.ts";

// A module worker. It is asked by run-reader-client.ts and nothing else; its lines stay here for searching.
const scope = self as unknown as DedicatedWorkerGlobalScope;
const desk = new RunDesk((message, transfer) => scope.postMessage(message, transfer), fetch.bind(scope));
scope.addEventListener("message", (event: MessageEvent<ToWorker>) => desk.handle(event.data));
