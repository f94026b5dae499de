import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Ellipsis from "lucide-react/icons/ellipsis";
import X from "lucide-react/icons/x";
import { useRef } from "react";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Textarea } from "../../../ui/Textarea.tsx";
import { guard } from "./form.ts";

type Props = {
  label: string;
  /** One of them: "Starter prompt". */
  itemLabel: string;
  items: readonly string[];
  offReason: string | undefined;
  onItems: (items: readonly string[]) => void;
};

/** Texts in an order: written in place, moved by buttons, added at the end. */
export function TextList({ label, itemLabel, items, offReason, onItems }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const isOff = offReason !== undefined;
  const focusAt = (at: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll("textarea")[at]?.focus());
  const move = (from: number, to: number) => {
    const next = items.filter((_, at) => at !== from);
    onItems([...next.slice(0, to), items[from] ?? "", ...next.slice(to)]);
  };
  return (
    <div>
      {items.length === 0 ? (
        <p className="text-muted">None</p>
      ) : (
        <ul ref={list} aria-label={label} className="grid gap-1.5">
          {items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts have no identity but their place
            <li key={at} className="flex items-start gap-0.5">
              <Textarea
                aria-label={`${itemLabel} ${at + 1}`}
                rows={1}
                value={item}
                {...guard(offReason)}
                onChange={(event) =>
                  onItems(items.map((one, place) => (place === at ? event.target.value : one)))
                }
              />
              {!isOff && (
                <Menu
                  align="end"
                  trigger={
                    <IconButton label={`More for ${itemLabel.toLowerCase()} ${at + 1}`}>
                      <Ellipsis />
                    </IconButton>
                  }
                >
                  <MenuItem disabled={at === 0} icon={<ArrowUp />} onSelect={() => move(at, at - 1)}>
                    Move up
                  </MenuItem>
                  <MenuItem
                    disabled={at === items.length - 1}
                    icon={<ArrowDown />}
                    onSelect={() => move(at, at + 1)}
                  >
                    Move down
                  </MenuItem>
                  <MenuItem
                    icon={<X />}
                    onSelect={() => {
                      onItems(items.filter((_, place) => place !== at));
                      focusAt(Math.max(0, at - 1));
                    }}
                  >
                    Remove
                  </MenuItem>
                </Menu>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isOff && (
        <Button
          size="small"
          variant="quiet"
          className="mt-1.5 -ml-2"
          onClick={() => {
            onItems([...items, ""]);
            focusAt(items.length);
          }}
        >
          Add one
        </Button>
      )}
    </div>
  );
}
