import { useEffect, useRef } from "react";
import type { ArtifactList } from "./useArtifactList.ts";

/** Fewer rows than these are seen at once: then the person decides whether more is read. */
const fewRows = 25;

/**
 * Reads the next page when the end of the list comes into view. Not while filters leave few rows: looking for them would
 * read everything there is, without anybody having asked.
 * @returns the ref of what stands at the end
 */
export function useReadMore(list: ArtifactList) {
  const end = useRef<HTMLDivElement>(null);
  const read = useRef(list.more?.read);
  useEffect(() => {
    read.current = list.more?.read;
  });
  const { length } = list.files;
  const { more } = list;
  const isWanted = more !== null && !more.isReading && more.error === null && length >= fewRows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another length means that the end lies elsewhere
  useEffect(() => {
    if (!isWanted || !end.current || !("IntersectionObserver" in globalThis)) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) read.current?.();
      },
      { root: document.getElementById("content"), rootMargin: "400px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWanted, length]);
  return end;
}
