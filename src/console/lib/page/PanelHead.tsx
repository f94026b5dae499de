import { Link, type LinkProps } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import Maximize2 from "lucide-react/icons/maximize-2";
import X from "lucide-react/icons/x";
import { type ReactNode, useRef } from "react";
import { buttonClass, IconButton } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { useFocusBeside } from "./useFocusKept.ts";

type BarProps = {
  /** The way back where the panel is a page of its own: "Back to runs". Without it the button that closes stands there too. */
  back?: string;
  /** The page of what is shown, and what its link says: "Open run". */
  page?: { readonly link: LinkProps; readonly label: string };
  onClose: () => void;
  children: ReactNode;
};

/** The first line of a list's panel: the way back, what is shown, the way to its page, and the button that closes. */
export function PanelBar({ back, page, onClose, children }: BarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useFocusBeside(bar);
  return (
    <div ref={bar} data-panel tabIndex={-1} className="flex items-start gap-3">
      {back !== undefined && (
        <IconButton size="small" label={back} className="-ml-1.5 md:hidden" onClick={onClose}>
          <ArrowLeft />
        </IconButton>
      )}
      {children}
      <span className="ml-auto flex">
        {page && (
          <Link
            {...page.link}
            aria-label={page.label}
            title={page.label}
            className={buttonClass("quiet", "small", { isSquare: true })}
          >
            <Maximize2 />
          </Link>
        )}
        <IconButton
          size="small"
          label="Close panel"
          shortcut="esc"
          className={cx(back !== undefined && "max-md:hidden")}
          onClick={onClose}
        >
          <X />
        </IconButton>
      </span>
    </div>
  );
}

type HeadProps = Omit<BarProps, "children"> & {
  /** The picture before the name, 32 px. */
  picture: ReactNode;
  name: string;
  /** What it is, in a few words under its name. */
  about: ReactNode;
  children?: ReactNode;
};

/** The head of the panel of something with a name and a picture; `children` stand below the two. */
export function PanelHead({ picture, name, about, children, ...bar }: HeadProps) {
  return (
    <header className="border-b px-edge-left py-3.5">
      <PanelBar {...bar}>
        {picture}
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-heading">
            <bdi>{name}</bdi>
          </h2>
          <p className="truncate text-muted text-secondary">{about}</p>
        </div>
      </PanelBar>
      {children}
    </header>
  );
}
