import WifiOff from "lucide-react/icons/wifi-off";
import { cx } from "./cx.ts";

export type Liveness = "live" | "resting" | "slowed" | "offline";

const looks = {
  live: "size-2 rounded-full bg-accent-solid ring-3 ring-accent-bg",
  resting: "size-2 rounded-full border-[1.5px] border-current text-muted",
  slowed: "size-2 rounded-[1px] bg-state-stopped-mark",
};

/** How fresh a page is: round = live or up to date, hollow = resting, amber square = slowed. The word stands beside it. */
export function LiveDot({ liveness, className }: { liveness: Liveness; className?: string }) {
  if (liveness === "offline") return <WifiOff className={cx("text-muted", className)} />;
  return <span className={cx("inline-block shrink-0", looks[liveness], className)} aria-hidden="true" />;
}
