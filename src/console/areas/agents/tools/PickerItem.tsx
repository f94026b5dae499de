import { Command } from "cmdk";
import Check from "lucide-react/icons/check";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronRight from "lucide-react/icons/chevron-right";
import Minus from "lucide-react/icons/minus";
import type { ReactNode } from "react";
import { cx } from "../../../ui/cx.ts";
import type { Given } from "./picks.ts";

type ItemProps = {
  /** Of all items of the list. */
  id: string;
  given: Given;
  name: string;
  isMono?: boolean;
  /** Its name for those who listen, where what stands around it is part of it. */
  label?: string;
  about: string;
  onPick: () => void;
};

const itemClass =
  "flex min-h-[30px] cursor-default select-none gap-2.5 rounded-tag px-2 py-1.5 data-[selected=true]:bg-surface-raised-hover max-sm:min-h-11";

/** One thing to give: ticked where the agent has it, a bar where it has a part. */
export function Item({ id, given, name, isMono = false, label, about, onPick }: ItemProps) {
  return (
    <Command.Item
      value={id}
      onSelect={onPick}
      aria-checked={given === "some" ? "mixed" : given === "all"}
      {...(label !== undefined && { "aria-label": label })}
      className={cx(itemClass, "items-start")}
    >
      <span
        aria-hidden="true"
        className={cx(
          "mt-[3px] flex size-3.5 shrink-0 items-center justify-center rounded-mark border",
          given === "none" ? "border-line-check bg-surface-raised" : "border-accent-solid bg-accent-solid",
        )}
      >
        {given === "all" && <Check className="size-2.5! stroke-3! text-on-accent" />}
        {given === "some" && <Minus className="size-2.5! stroke-3! text-on-accent" />}
      </span>
      <span className="min-w-0 flex-1">
        <bdi className={cx("block truncate", isMono && "text-mono")}>{name}</bdi>
        {about && (
          <span className="line-clamp-2 break-words text-muted text-secondary">
            <bdi>{about}</bdi>
          </span>
        )}
      </span>
    </Command.Item>
  );
}

/** Shows or hides what belongs to the item above it. */
export function OpenItem({
  id,
  isOpen,
  label,
  onOpen,
  children,
}: {
  id: string;
  isOpen: boolean;
  label: string;
  onOpen: () => void;
  children: ReactNode;
}) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Command.Item
      value={id}
      onSelect={onOpen}
      aria-label={label}
      className={cx(itemClass, "items-center text-muted text-secondary")}
    >
      <Chevron />
      {children}
    </Command.Item>
  );
}
