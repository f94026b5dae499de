import { useCallback, useState } from "react";

/** Whether an element has come into view, or nearly: by so many CSS pixels. @returns its ref, and whether it has */
export function useSeen(margin: number) {
  const [isSeen, setSeen] = useState(typeof IntersectionObserver === "undefined");
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (isSeen || !element) return;
      const observer = new IntersectionObserver(
        (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
        { rootMargin: `${margin}px` },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [isSeen, margin],
  );
  return [ref, isSeen] as const;
}
