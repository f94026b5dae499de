import Search from "lucide-react/icons/search";
import type { ComponentProps } from "react";
import { Kbd } from "./Kbd.tsx";
import { Tooltip } from "./Tooltip.tsx";

type Props = Omit<ComponentProps<"button">, "type" | "children" | "className"> & {
  /** Show the command sign (on a Mac) instead of the word. */
  isMac?: boolean;
};

const name = "Search or jump to";

/** Looks like a field and opens the palette. */
export function SidebarSearch({ isMac = true, ...rest }: Props) {
  return (
    <Tooltip
      content={name}
      shortcut={isMac ? "Cmd K" : "Ctrl K"}
      describes={false}
      className="max-sm:hidden lg:hidden"
    >
      <button {...rest} type="button" aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"} className="search">
        <Search />
        <span className="flex-1 truncate text-left sm:max-lg:sr-only">{name}</span>
        <span className="flex max-lg:hidden" aria-hidden="true">
          <Kbd command={isMac}>{isMac ? "K" : "Ctrl K"}</Kbd>
        </span>
      </button>
    </Tooltip>
  );
}
