import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
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
