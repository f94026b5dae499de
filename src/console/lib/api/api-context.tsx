import { createContext, type ReactNode, use } from "react";
import type { Api } from "./api.ts";

const ApiContext = createContext<Api | null>(null);

/** Gives the signed-in connection to all below. */
export function ApiProvider({ api, children }: { api: Api; children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** The signed-in connection. Only pages inside the frame have one. */
export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error("useApi is for pages inside the signed-in frame");
  return api;
}
