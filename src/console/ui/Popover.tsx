import { Popover as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";
import { floatClass } from "./Menu.tsx";

type Props = ComponentProps<typeof Radix.Root> & {
  /** One button. */
  trigger: ReactNode;
  /** Its name for those who listen. */
  label: string;
  align?: "start" | "end";
  className?: string;
};

/** A small form or explanation that floats beside its button. Escape closes it and gives the focus back. */
export function Popover({ trigger, label, align = "start", className, children, ...rest }: Props) {
  return (
    <Radix.Root {...rest}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cx(floatClass, "max-w-[min(420px,calc(100vw-16px))] p-3", className)}
          onClick={(event) => event.stopPropagation()}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
