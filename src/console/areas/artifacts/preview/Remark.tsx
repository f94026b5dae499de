import type { ReactNode } from "react";
import { cx } from "../../../ui/cx.ts";

/** In the place of a preview: what there is, why it is not shown, and what can be done. */
export function Remark({
  icon,
  title,
  children,
  actions,
  isAlert = false,
}: {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** Something went wrong, so it is read aloud. */
  isAlert?: boolean;
}) {
  return (
    <section
      {...(isAlert && { role: "alert" })}
      className={cx(
        "flex min-h-0 flex-1 flex-col items-center justify-center gap-2 px-edge-left py-10 text-center",
        "[&>.lucide]:size-6 [&>.lucide]:text-muted",
      )}
    >
      {icon}
      <h3 className="max-w-text break-words font-semibold">{title}</h3>
      {children !== undefined && <div className="max-w-text text-muted">{children}</div>}
      {actions !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </section>
  );
}
