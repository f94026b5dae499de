import type { ReactNode } from "react";

/** Words for those who listen: read aloud, not seen. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
