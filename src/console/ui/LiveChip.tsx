import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";
import { LiveDot, type Liveness } from "./LiveDot.tsx";

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
