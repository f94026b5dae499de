import WifiOff from "lucide-react/icons/wifi-off";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { StateShape } from "./State.tsx";

type Props = {
  /** `waits`: something waits for this person. `failed`: an error, its own words first. `offline`: the last data stay. */
  kind: "waits" | "failed" | "offline";
  title?: ReactNode;
  children?: ReactNode;
  /** Instead of the kind's own mark; 14 px. */
  icon?: ReactNode;
  /** What can be done, at the right; on a narrow screen below the words, which need its width. */
  action?: ReactNode;
  /** `band` goes from edge to edge; `box` stands inside a form. */
  look?: "band" | "box";
  className?: string;
};

const kinds = {
  waits: "border-state-stopped-line bg-state-stopped-bg",
  failed: "border-state-failed-line bg-state-failed-bg",
  offline: "border-line-strong bg-surface-pressed",
};
const marks = {
  waits: null,
  failed: <StateShape tone="failed" />,
  offline: <WifiOff />,
};

/** A band in the place that it is about. Errors are read aloud at once, the others when there is a pause. */
export function Notice({ kind, title, children, icon, action, look = "band", className }: Props) {
  const mark = icon ?? marks[kind];
  return (
    <div
      role={kind === "failed" ? "alert" : "status"}
      className={cx(
        "flex items-start gap-2 max-sm:flex-wrap",
        kinds[kind],
        look === "band" ? "border-b py-3 pr-edge-right pl-edge-left" : "rounded-control border px-3 py-2",
        className,
      )}
    >
      {mark && (
        <span className={cx("mt-[3px] flex shrink-0", kind === "waits" && "text-state-stopped-fg")}>
          {mark}
        </span>
      )}
      <div className="min-w-0 max-w-text flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className={cx(title !== undefined && "text-muted")}>{children}</div>}
      </div>
      {action !== undefined && (
        <div
          className={cx(
            "flex items-center gap-2 max-sm:basis-full sm:ml-auto sm:shrink-0",
            Boolean(mark) && "max-sm:pl-[22px]",
          )}
        >
          {action}
        </div>
      )}
    </div>
  );
}
