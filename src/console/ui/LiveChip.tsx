import WifiOff from "lucide-react/icons/wifi-off";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = Omit<ComponentProps<"button">, "type"> & {
  liveness: Liveness;
  /** One word: Live, Up to date, Resting, Slowed, Offline. */
  word: ReactNode;
  /** Age and rate: "checked 2 s ago · every 1 s"; left out where it is narrow. */
  detail?: ReactNode;
};

/** Says how fresh the page is and opens the setting of how often it is read. */
export function LiveChip({ liveness, word, detail, className, ...rest }: Props) {
  return (
    <button
      {...rest}
      type="button"
      className={cx(
        "inline-flex h-control-small shrink-0 items-center gap-1.5 whitespace-nowrap rounded-control px-1.5 text-secondary hover:bg-surface-hover",
        className,
      )}
    >
      <LiveDot liveness={liveness} />
      <span className="font-medium">{word}</span>{" "}
      {detail !== undefined && <span className="text-muted tabular-nums max-md:hidden">{detail}</span>}
    </button>
  );
}

export type Liveness = "live" | "resting" | "slowed" | "offline";

const looks = {
  live: "size-2 rounded-full bg-accent-solid ring-3 ring-accent-bg",
  resting: "size-2 rounded-full border-[1.5px] border-current text-muted",
  slowed: "size-2 rounded-[1px] bg-state-stopped-mark",
};

/** How fresh a page is: round = live or up to date, hollow = resting, amber square = slowed. The word stands beside it. */
function LiveDot({ liveness }: { liveness: Liveness }) {
  if (liveness === "offline") return <WifiOff className="text-muted" />;
  return <span className={cx("inline-block shrink-0", looks[liveness])} aria-hidden="true" />;
}
