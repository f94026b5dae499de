import { oidcStartPath } from "../../contract/oidc.ts";
import type { Context } from "../context.ts";
import type { Sender } from "../guessing/guesses.ts";
import { networkOf } from "../guessing/network.ts";
import type { Step } from "../oidc/oidc.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, emptyAnswer } from "./answer.ts";
import { cookieText, readCookies } from "./cookies.ts";
import { tooManyPage } from "./message-page.ts";

/** What a browser opens by itself to sign in with the organisation's identity provider. */
export interface OidcRoutes {
  /** Sends the browser to the provider; first to the address that people reach the service at, as the provider knows no other. @param address of the socket */
  start(request: Request, address: string): Promise<Answer>;
  /** Where the provider sends it back to. */
  callback(request: Request, from: Sender): Promise<Answer>;
}

/** Seconds in which the browser has to come back. */
const cookieSeconds = 600;

/** @param getContext null: the service is starting, which is answered with `unavailable`; without a provider with `not_found` */
export function createOidcRoutes(getContext: () => Context | null): OidcRoutes {
  const context = () => {
    const there = getContext();
    if (there === null) throw new ServiceError("unavailable", { message: "The service is starting." });
    return there;
  };
  const provider = ({ oidc }: Context) => {
    if (oidc === null) throw new ServiceError("not_found");
    return oidc;
  };
  const go = ({ location, cookie }: Step, { publicUrl }: Context): Answer => {
    if (cookie === null) return emptyAnswer(303, { location });
    // The prefix __Host- wants the whole host.
    const maxAgeSeconds = cookie.value === "" ? 0 : cookieSeconds;
    const text = cookieText({ ...cookie, path: "/", maxAgeSeconds }, { publicUrl });
    return emptyAnswer(303, { location, "set-cookie": text });
  };

  return {
    async start(request, address) {
      const there = context();
      const oidc = provider(there);
      const { searchParams: query } = new URL(request.url);
      const isElsewhere = request.headers.get("host")?.toLowerCase() !== new URL(there.publicUrl).host;
      // Once: a proxy may call the service by another name than people do.
      if (isElsewhere && !query.has("sent")) {
        const search = new URLSearchParams({ next: query.get("next") ?? "/", sent: "1" });
        return emptyAnswer(303, { location: `${there.publicUrl}${oidcStartPath}?${search}` });
      }
      return go(await oidc.begin(query.get("next"), networkOf(address)), there);
    },
    async callback(request, from) {
      const there = context();
      const cookies = readCookies(request.headers.get("cookie") ?? "");
      try {
        return go(await provider(there).finish(new URL(request.url), cookies, from), there);
      } catch (error) {
        return tooManyPage(error, { path: "/sign-in", label: "Back to sign-in" });
      }
    },
  };
}
