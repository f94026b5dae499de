import Command from "lucide-react/icons/command";
import type { ReactNode } from "react";

/** A key to press. The command sign is drawn, because the fonts do not carry it. */
export function Kbd({ children, command = false }: { children: ReactNode; command?: boolean }) {
  return (
    <kbd className="inline-flex h-[18px] min-w-[18px] shrink-0 items-center justify-center gap-0.5 rounded-tag border border-line bg-surface px-1 font-text text-axis text-muted">
      {command && <Command className="size-[11px]" aria-label="Command" />}
      {children}
    </kbd>
  );
}
