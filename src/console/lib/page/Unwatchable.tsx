import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { IconButton } from "../../ui/Button.tsx";

type Props = { name: string; onEnd: () => void; children: ReactNode };

/** A row under "Watching" with the way to stop that, which shows itself to a hand or the keyboard. */
export function Unwatchable({ name, onEnd, children }: Props) {
  return (
    <div className="group relative flex flex-col">
      {children}
      <span className="absolute inset-y-0 right-0.5 hidden items-center rounded-control bg-surface-sunken group-focus-within:flex group-hover:flex sm:max-lg:!hidden">
        <IconButton size="tiny" label={`Stop watching ${name}`} onClick={onEnd}>
          <X />
        </IconButton>
      </span>
    </div>
  );
}
