import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Says the name of the page after each change of the path, and puts the focus to its content when it was lost. */
export function RouteAnnouncer() {
  const router = useRouter();
  const [text, setText] = useState("");
  useEffect(
    () =>
      router.subscribe("onRendered", (event) => {
        // The first page is said, and has the focus at its beginning, as any page that a browser opens.
        if (!event.pathChanged || event.fromLocation === undefined) return;
        setText(document.title);
        const focused = document.activeElement;
        if (focused === null || focused === document.body)
          document.getElementById("content")?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
