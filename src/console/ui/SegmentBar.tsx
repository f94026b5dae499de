import { cx } from "./cx.ts";

/** One bar in parts, for a progress or a share: pass quiet, trouble in its colour. `label` says it in words. */
export function SegmentBar({
  label,
  parts,
  total,
  className,
}: {
  label: string;
  parts: readonly { key: string; count: number; className: string }[];
  /** What the whole bar stands for; what the parts leave is the track. */
  total: number;
  className?: string;
}) {
  return (
    <div role="img" aria-label={label} className={cx("flex h-1.5 gap-px overflow-hidden bg-line", className)}>
      {parts.map(
        (part) =>
          part.count > 0 && (
            <span
              key={part.key}
              className={part.className}
              style={{ width: `${(part.count / Math.max(1, total)) * 100}%` }}
            />
          ),
      )}
    </div>
  );
}
