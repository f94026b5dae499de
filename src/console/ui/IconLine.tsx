import type { ReactNode } from "react";

/** One line of a list of what follows from something, behind its icon. */
export function IconLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span className="mt-[3px] flex shrink-0 text-muted">{icon}</span>
      <span className="min-w-0 max-w-text">{children}</span>
    </li>
  );
}
