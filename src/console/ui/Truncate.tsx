import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** Words on one line, cut at the end; the whole of them on hover. */
export function Truncate({
  text,
  children,
  className,
}: {
  text: string;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <span className={cx("block min-w-0 truncate", className)} title={text}>
      {children ?? text}
    </span>
  );
}
