/// <reference lib="webworker" />
import "../../../api/jitless.ts";
import type { ToWorker } from "./run-messages.ts";
import { RunService } from "./run-service.ts";

// A module worker. It is asked by run-reader-client.ts and nothing else; its lines stay here for searching.
const scope = self as unknown as DedicatedWorkerGlobalScope;
const service = new RunService(
  (message, transfer) => scope.postMessage(message, transfer),
  fetch.bind(scope),
);
scope.addEventListener("message", (event: MessageEvent<ToWorker>) => service.handle(event.data));
