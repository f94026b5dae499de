import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import { Spinner } from "./Spinner.tsx";
import { Tooltip } from "./Tooltip.tsx";

export type ButtonProps = Omit<ComponentProps<"button">, "disabled"> & {
  /** One `primary` per view; `danger` is red words, never a red block. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** An icon of 14 px before the words; in the bar over a page it stands for them on phones. */
  icon?: ReactNode;
  /** The act is under way: a turning ring instead of the icon, and a second click does nothing. */
  loading?: boolean;
  /** Why the button cannot act yet. There is no way to switch a button off without saying why. */
  disabledReason?: string | undefined;
  /** Where the reason stands: as words beside the button, or as a tooltip where the view says it already. */
  reasonAs?: "beside" | "title";
  /** As wide as high, for an icon alone; use IconButton, which asks for the name. */
  isSquare?: boolean;
};

/** A button that says what it does. It keeps the focus while it cannot act, so that its reason can be read. */
export function Button({
  variant = "plain",
  size = "normal",
  icon,
  loading = false,
  disabledReason,
  reasonAs = "beside",
  isSquare = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isOff = disabledReason !== undefined || loading;
  const isBeside = disabledReason !== undefined && reasonAs === "beside";
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (isOff) event.preventDefault();
    else onClick?.(event);
  };
  const button = (
    <button
      {...rest}
      type={type}
      onClick={click}
      className={cx(
        buttonClass(variant, size, { isFlat: disabledReason !== undefined, isSquare }),
        className,
      )}
      {...(isOff && { "aria-disabled": true })}
      {...(loading && { "aria-busy": true })}
      {...(disabledReason !== undefined && { "aria-describedby": reasonId })}
    >
      {loading ? <Spinner /> : icon}
      {icon === undefined ? children : <span>{children}</span>}
    </button>
  );
  // The same tree with and without a reason, so that the button keeps the focus when the reason goes away.
  return (
    <span className={isBeside ? "inline-flex items-center gap-2" : "contents"}>
      {reasonAs === "title" && !isSquare ? (
        <Tooltip content={disabledReason} describes={false}>
          {button}
        </Tooltip>
      ) : (
        button
      )}
      {disabledReason !== undefined && (
        <span id={reasonId} className={isBeside ? "text-secondary text-muted" : "sr-only"}>
          {disabledReason}
        </span>
      )}
    </span>
  );
}

type ButtonVariant = "primary" | "plain" | "quiet" | "danger";
/** `tiny` is for an icon behind a text; on phones the finger still has 32 px. */
type ButtonSize = "normal" | "small" | "tiny";

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
  tiny: "-mx-0.5 -my-1.5 size-6 max-sm:-m-1.5 max-sm:size-8",
};

/**
 * The look of a button, for a link that has to look like one.
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

type Props = Omit<ButtonProps, "icon" | "children" | "aria-label" | "title" | "reasonAs" | "isSquare"> & {
  /** What it does, in words: its name for those who listen, and its tooltip. */
  label: string;
  /** The key that does the same, shown in the tooltip. */
  shortcut?: string | undefined;
  /** The icon. */
  children: ReactNode;
};

/** A square button with an icon, for copy, close, more, and where a word would repeat in every row. */
export function IconButton({
  label,
  shortcut,
  size = "normal",
  variant = "quiet",
  children,
  ...rest
}: Props) {
  return (
    <Tooltip content={rest.disabledReason ?? label} shortcut={shortcut} describes={false}>
      <Button {...rest} size={size} variant={variant} reasonAs="title" isSquare aria-label={label}>
        {rest.loading ? null : children}
      </Button>
    </Tooltip>
  );
}
