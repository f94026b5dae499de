import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { type ButtonSize, type ButtonVariant, buttonClass } from "./buttonClass.ts";
import { cx } from "./cx.ts";
import { Spinner } from "./Spinner.tsx";
import { Tooltip } from "./Tooltip.tsx";

export type ButtonProps = Omit<ComponentProps<"button">, "disabled"> & {
  /** One `primary` per view; `danger` is red words, never a red block. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** An icon of 14 px before the words. */
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
      {children}
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
