import Search from "lucide-react/icons/search";
import type { ComponentProps, ReactNode } from "react";
import { type Fillable, fillElement } from "./Chart.tsx";
import { cx } from "./cx.ts";
import { Kbd } from "./Kbd.tsx";
import { Tooltip } from "./Tooltip.tsx";

type SidebarSearchProps = Omit<ComponentProps<"button">, "type" | "children" | "className"> & {
  /** Show the command sign (on a Mac) instead of the word. */
  isMac?: boolean;
};

const name = "Search or jump to";

const searchLook = (
  <>
    <Search />
    <span className="flex-1 truncate text-left sm:max-lg:sr-only">{name}</span>
  </>
);

/** What looks like the button below, before there is one. */
export const SearchLook = () => <div className="search">{searchLook}</div>;

/** Looks like a field and opens the palette. */
export function SidebarSearch({ isMac = true, ...rest }: SidebarSearchProps) {
  return (
    <Tooltip
      content={name}
      shortcut={isMac ? "Cmd K" : "Ctrl K"}
      describes={false}
      className="max-sm:hidden lg:hidden"
    >
      <button {...rest} type="button" aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"} className="search">
        {searchLook}
        <span className="flex max-lg:hidden" aria-hidden="true">
          <Kbd command={isMac}>{isMac ? "K" : "Ctrl K"}</Kbd>
        </span>
      </button>
    </Tooltip>
  );
}

type Props = {
  /** A link around Brand. */
  brand: ReactNode;
  /** The button that opens the palette: SidebarSearch. */
  search: ReactNode;
  /** SidebarItem for each page. */
  children: ReactNode;
  /** What the person follows: SidebarWatched for each; nothing hides the heading too. */
  watching?: ReactNode;
  /** The connection: name, kind of key, team, and the settings. */
  foot: ReactNode;
};

/** Navigation: 220 px, icons only (56 px) below 1180, a drawer on phones. */
export function Sidebar({ brand, search, children, watching, foot }: Props) {
  return (
    <div data-sidebar="" className="sidebar">
      <div className="sidebar-head">{brand}</div>
      <div className="w-full shrink-0 px-2 pb-3">{search}</div>
      <nav aria-label="Pages" className="flex w-full shrink-0 flex-col gap-px px-2">
        {children}
      </nav>
      {watching !== undefined && (
        <nav aria-label="Watching" className="mt-5 flex min-h-0 w-full flex-1 flex-col overflow-y-auto px-2">
          <h2 className="px-2 pb-2 text-muted text-secondary sm:max-lg:sr-only">Watching</h2>
          {watching}
        </nav>
      )}
      <div className="mt-auto w-full shrink-0 border-t">{foot}</div>
    </div>
  );
}

type ItemProps = {
  /** 16 px. */
  icon: ReactNode;
  isActive: boolean;
  /** How many things wait for the person here; nothing is shown for none. */
  waiting?: number | undefined;
  /** The keys that lead here, for the tooltip where only the icon fits. */
  shortcut?: string;
  /** The router's link with the name in it: `<Link to="/runs">Runs</Link>`. */
  children: Fillable;
};

/** One page in the sidebar; below 1180 only its icon and count. */
export function SidebarItem({ icon, isActive, waiting = 0, shortcut, children }: ItemProps) {
  return (
    <Tooltip
      content={children.props.children}
      shortcut={shortcut}
      describes={false}
      className="max-sm:hidden lg:hidden"
    >
      {fillElement(
        children,
        {
          ...(isActive && { "aria-current": "page" as const }),
          className: cx(
            rowClass,
            "h-7.5 gap-2.5 font-medium",
            isActive ? "bg-surface-pressed text-default" : restClass,
          ),
        },
        <>
          <span className="flex [&_.lucide]:size-4">{icon}</span>
          <span className={labelClass}>{children.props.children}</span>{" "}
          {waiting > 0 && (
            <span className="waits">
              {waiting} <span className="sr-only">waiting for you</span>
            </span>
          )}
        </>,
      )}
    </Tooltip>
  );
}

export const rowClass = "sidebar-row";
export const restClass = "text-muted hover:bg-surface-hover hover:text-default";
export const labelClass = "min-w-0 flex-1 truncate sm:max-lg:sr-only";

type SidebarFootProps = {
  /** Who is signed in. */
  name: string;
  /** For which team, and with what: "Revenue Ops · Personal key". */
  detail: string;
  /** Teal when it answers, amber when it is slow or rests, red when it does not answer. */
  health: "good" | "slow" | "gone";
  /** In words, for those who do not see the colour. */
  healthWord: string;
  /** The settings button. */
  settings?: ReactNode;
};

const colours = { good: "bg-accent-solid", slow: "bg-state-stopped-mark", gone: "bg-state-failed-mark" };

/** Who is signed in, and how the connection is, at the foot of the sidebar. */
export function SidebarFoot({ name, detail, health, healthWord, settings }: SidebarFootProps) {
  return (
    <div className="sidebar-foot">
      <span className={cx("size-2 shrink-0 rounded-[2px]", colours[health])} title={healthWord}>
        <span className="sr-only">{healthWord}</span>
      </span>
      <span className="min-w-0 flex-1 sm:max-lg:sr-only" title={`${name}, ${detail}`}>
        <span className="block truncate font-medium leading-[18px]">{name}</span>
        <span className="block truncate text-muted text-secondary">{detail}</span>
      </span>
      <span className="[&_.lucide]:size-4">{settings}</span>
    </div>
  );
}
