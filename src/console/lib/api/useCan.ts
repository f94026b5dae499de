import { useSyncExternalStore } from "react";
import type { Capability } from "../../../contract/console.ts";
import { useApi } from "./api-context.tsx";

/** Whether the service has this extension; renders again when that is learned. The one question that pages ask. */
export function useCan(name: Capability): boolean {
  const { capabilities } = useApi();
  return useSyncExternalStore(capabilities.known.subscribe, () => capabilities.can(name));
}
