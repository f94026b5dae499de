import Check from "lucide-react/icons/check";
import Ellipsis from "lucide-react/icons/ellipsis";
import * as DropdownMenu from "radix-ui/dropdown-menu";
import * as Radix from "radix-ui/popover";
import type { ComponentProps, ReactNode } from "react";
import { IconButton } from "./Button.tsx";
import { cx } from "./cx.ts";
import { Kbd } from "./Kbd.tsx";

/** What floats: menus and popovers share this surface. */
const floatClass =
  "fade-in z-menu max-h-(--radix-popper-available-height) overflow-y-auto rounded-panel border border-line bg-surface-raised shadow-float outline-none";

const itemClass =
  "flex h-7.5 select-none items-center gap-2 rounded-tag px-2 text-body outline-none data-disabled:text-faint data-highlighted:bg-surface-raised-hover max-sm:h-10";

/** A menu of acts; the page behind it stays readable and scrolls. `trigger` is one button; the items are MenuItem, MenuSeparator, MenuLabel, MenuCheck, MenuChoice. */
export function Menu({
  trigger,
  children,
  align = "start",
  ...rest
}: { trigger: ReactNode; children: ReactNode; align?: "start" | "end" } & ComponentProps<
  typeof DropdownMenu.Root
>) {
  return (
    <DropdownMenu.Root modal={false} {...rest}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cx(floatClass, "min-w-56 p-1")}
          // React passes clicks of a portal on to the row that the trigger stands in.
          onClick={(event) => event.stopPropagation()}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A menu behind three dots. @param label which things it has more of, where several stand on one page */
export function MoreMenu({
  label = "More actions",
  variant,
  children,
}: { label?: string; children: ReactNode } & Pick<ComponentProps<typeof IconButton>, "variant">) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={label} {...(variant !== undefined && { variant })}>
          <Ellipsis />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}

type ItemProps = Omit<ComponentProps<typeof DropdownMenu.Item>, "className"> & {
  icon?: ReactNode;
  /** The key that does the same. */
  shortcut?: string;
  /** Cannot be undone: red words. */
  isDanger?: boolean;
};

/** One act, in words. */
export function MenuItem({ icon, shortcut, isDanger = false, children, ...rest }: ItemProps) {
  return (
    <DropdownMenu.Item {...rest} className={cx(itemClass, isDanger && "text-state-failed-fg")}>
      {icon}
      <span className="flex-1 truncate">{children}</span>
      {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
    </DropdownMenu.Item>
  );
}

/** Something that is on or off, for a menu that stays open while several are picked. */
export function MenuCheck({
  children,
  ...rest
}: Omit<ComponentProps<typeof DropdownMenu.CheckboxItem>, "className">) {
  return (
    <DropdownMenu.CheckboxItem onSelect={(event) => event.preventDefault()} {...rest} className={itemClass}>
      <Tick />
      <span className="flex-1 truncate">{children}</span>
    </DropdownMenu.CheckboxItem>
  );
}

/** One of several that exclude each other: put MenuChoice items inside. */
export const MenuChoices = DropdownMenu.RadioGroup;

/** One choice of MenuChoices. */
export function MenuChoice({
  children,
  ...rest
}: Omit<ComponentProps<typeof DropdownMenu.RadioItem>, "className">) {
  return (
    <DropdownMenu.RadioItem {...rest} className={itemClass}>
      <Tick />
      <span className="flex-1 truncate">{children}</span>
    </DropdownMenu.RadioItem>
  );
}

/** Faint words over a group of items, or why there are none. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="max-w-72 px-2 pt-2 pb-1 text-faint text-secondary">
      {children}
    </DropdownMenu.Label>
  );
}

/** A line between groups. */
export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}

function Tick() {
  return (
    <span className="flex size-3.5 text-accent">
      <DropdownMenu.ItemIndicator>
        <Check />
      </DropdownMenu.ItemIndicator>
    </span>
  );
}

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
