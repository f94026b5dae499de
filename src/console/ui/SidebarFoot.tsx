import type { ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = {
  /** Who is signed in. */
  name: string;
  /** For which team, and with what: "Revenue Ops · Personal key". */
  detail: string;
  /** Teal when it answers, amber when it is slow or rests, red when it does not answer. */
  health: "good" | "slow" | "gone";
  /** In words, for those who do not see the colour. */
  healthWord: string;
  /** The settings button. */
  settings?: ReactNode;
};

const colours = { good: "bg-accent-solid", slow: "bg-state-stopped-mark", gone: "bg-state-failed-mark" };

/** Who is signed in, and how the connection is, at the foot of the sidebar. */
export function SidebarFoot({ name, detail, health, healthWord, settings }: Props) {
  return (
    <div className="sidebar-foot">
      <span className={cx("size-2 shrink-0 rounded-[2px]", colours[health])} title={healthWord}>
        <span className="sr-only">{healthWord}</span>
      </span>
      <span className="min-w-0 flex-1 sm:max-lg:sr-only" title={`${name}, ${detail}`}>
        <span className="block truncate font-medium leading-[18px]">{name}</span>
        <span className="block truncate text-muted text-secondary">{detail}</span>
      </span>
      <span className="[&_.lucide]:size-4">{settings}</span>
    </div>
  );
}
