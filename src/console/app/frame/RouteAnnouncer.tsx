import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Says the name of the page after each change of the path, and puts the focus to its content when it was lost. */
export function RouteAnnouncer() {
  const router = useRouter();
  const [text, setText] = useState("");
  useEffect(() => {
    const announce = () => {
      setText(document.title);
      const focused = document.activeElement;
      if (focused === null || focused === document.body)
        document.getElementById("content")?.focus({ preventScroll: true });
    };
    // The first page may be there before the frame is.
    if (router.stores.resolvedLocation.get()) announce();
    return router.subscribe("onRendered", ({ pathChanged }) => {
      if (pathChanged) announce();
    });
  }, [router]);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
