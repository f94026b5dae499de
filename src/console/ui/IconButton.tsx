import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./Button.tsx";
import { Tooltip } from "./Tooltip.tsx";

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
