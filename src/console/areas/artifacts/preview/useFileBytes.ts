import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import type { Kind } from "../kind.ts";
import { giveUp, openFile, readFile, wholeSize } from "../read-file.ts";
import type { FileVersion } from "../versions/useVersions.ts";

/** Told often enough to be seen moving, in bytes. */
const told = 500_000;

/** All bytes of a version, up to a limit; read once, as a version never changes. */
export function useFileBytes(version: FileVersion, most: number, use: "any" | "show" = "any") {
  const api = useApi();
  const [readSoFar, setRead] = useState(0);
  const last = useRef(0);
  const read = useQuery({
    queryKey: [api.id, "artifact bytes", version.key, most, use],
    queryFn: ({ signal }) => {
      last.current = 0;
      return readFile(api, version, {
        signal,
        most,
        use,
        onProgress: (size) => {
          if (size - last.current < told) return;
          last.current = size;
          setRead(size);
        },
      });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return { read, readSoFar };
}

/** A link that works just now, and how big the file behind it is; asked with one byte, and renewed once where it ended. */
export function useWorkingLink(version: FileVersion) {
  const api = useApi();
  return useQuery({
    queryKey: [api.id, "artifact link", version.key],
    queryFn: async ({ signal }) => {
      const { response, url } = await openFile(api, version, { signal, range: [0, 0] });
      giveUp(response);
      return { url, size: response.status === 416 ? 0 : wholeSize(response) };
    },
    // Each time that it is looked at: what was a good link may have ended since.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}

/** Bytes. Above `ask` a person decides whether it is read; above `most` it never is, only downloaded. */
interface Limits {
  readonly ask: number;
  readonly most: number;
}

const mega = 1_000_000;

const limits: Readonly<Record<Exclude<Kind, "none">, Limits>> = {
  image: { ask: 20 * mega, most: 200 * mega },
  svg: { ask: 5 * mega, most: 50 * mega },
  pdf: { ask: 25 * mega, most: 200 * mega },
  // Played as they come, in ranges: nothing is held.
  audio: { ask: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  video: { ask: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  html: { ask: 5 * mega, most: 20 * mega },
  markdown: { ask: 2 * mega, most: 50 * mega },
  json: { ask: 5 * mega, most: 100 * mega },
  csv: { ask: 10 * mega, most: 100 * mega },
  xlsx: { ask: 5 * mega, most: 50 * mega },
  code: { ask: 5 * mega, most: 100 * mega },
  text: { ask: 5 * mega, most: 100 * mega },
};

export const limitsOf = (kind: Exclude<Kind, "none">): Limits => limits[kind];
