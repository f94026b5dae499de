import { cx } from "./cx.ts";

export type ButtonVariant = "primary" | "plain" | "quiet" | "danger";
/** `tiny` is for an icon behind a text; on phones the finger still has 32 px. */
export type ButtonSize = "normal" | "small" | "tiny";

const variants: Record<ButtonVariant, string> = {
  primary:
    "border-accent-solid bg-accent-solid text-on-accent hover:border-accent-hover hover:bg-accent-hover",
  plain:
    "border-line-strong bg-surface-raised text-default hover:bg-surface-raised-hover active:bg-surface-pressed",
  quiet: "border-transparent text-muted hover:bg-surface-hover hover:text-default active:bg-surface-pressed",
  danger:
    "border-line-strong bg-surface-raised text-state-failed-fg hover:bg-surface-raised-hover active:bg-surface-pressed",
};
const flat = "border-line bg-surface-sunken text-faint";
const sizes: Record<ButtonSize, string> = {
  normal: "h-control gap-2 px-3 text-body",
  small: "h-control-small gap-1.5 px-[9px] text-secondary",
  tiny: "h-5 gap-1 px-1 text-axis",
};
const squares: Record<ButtonSize, string> = {
  normal: "size-control text-body",
  small: "size-control-small text-secondary",
  tiny: "-my-1 size-5 max-sm:-m-1.5 max-sm:size-8",
};

/**
 * The look of a button, for a link that has to look like one: `<Link className={buttonClass("plain")}>`.
 * `flat` is the look of a button that cannot act yet, `square` that of one with only an icon.
 */
export function buttonClass(
  variant: ButtonVariant = "plain",
  size: ButtonSize = "normal",
  { isFlat = false, isSquare = false } = {},
): string {
  return cx(
    "hit inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-control border font-medium",
    "transition-colors duration-motion",
    isSquare ? squares[size] : sizes[size],
    isFlat ? flat : variants[variant],
  );
}
