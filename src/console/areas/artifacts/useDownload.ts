import { useMutation } from "@tanstack/react-query";
import { describeError } from "../../api/describe-error.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { type Place, placeOf } from "../../lib/markdown/file-place.ts";
import { useToast } from "../../ui/toastContext.ts";
import type { Renew } from "./links.ts";

/** What a download needs to know. */
export interface Downloadable {
  readonly name: string;
  readonly renew: Renew;
}

/** Hands a file to the browser, by a link that was asked for just now: the one on the page may have ended (C-37). */
export function useDownload() {
  const api = useApi();
  const toaster = useToast();
  const fail = (detail: string) =>
    toaster.show({ tone: "failed", title: "The file could not be downloaded", detail });
  return useMutation({
    mutationFn: async ({ name, renew }: Downloadable) => {
      const place = placeOf(api, await renew());
      if (place.kind === "nowhere") fail("The service gives no address for it.");
      else follow(place, name);
    },
    onError: (error) => {
      const { what, next } = describeError(error);
      fail(`${what} ${next}`);
    },
  });
}

/** Follows a link once. It is never on the page, so that it stays out of the history and of the middle button. */
function follow(place: Exclude<Place, { kind: "nowhere" }>, name: string): void {
  const link = document.createElement("a");
  link.href = place.url;
  link.rel = "noopener noreferrer";
  link.referrerPolicy = "no-referrer";
  if (place.kind === "here") link.download = name;
  else link.target = "_blank";
  link.click();
}
