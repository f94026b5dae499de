import { CopyButton } from "./CopyButton.tsx";
import { cx } from "./cx.ts";

/** One line of code to copy, such as the `curl` line of an empty state; cut at the end, copied whole. */
export function CodeLine({ code, what, className }: { code: string; what: string; className?: string }) {
  return (
    <div
      className={cx("flex min-w-0 items-center gap-2 rounded-tag bg-surface-sunken pr-1 pl-2.5", className)}
    >
      <code className="min-w-0 flex-1 truncate py-1 text-mono text-muted">{code}</code>
      <CopyButton text={code} what={what} />
    </div>
  );
}
