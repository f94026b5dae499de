import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { cx } from "./cx.ts";

type Place = { x: number; y: number; isAbove: boolean };
type Props = {
  content: ReactNode;
  /** The key that does the same. */
  shortcut?: string | undefined;
  /** False where the child's own name says the same, so that it is not read twice. */
  describes?: boolean;
  /** One element that takes the focus. */
  children: ReactElement<{ "aria-describedby"?: string }>;
  className?: string;
};

const delay = 400;

/** Words on hover and on keyboard focus; Escape, scrolling or leaving hides them. Nothing needed to act may stand only here. */
export function Tooltip({ content, shortcut, describes = true, children, className }: Props) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [place, setPlace] = useState<Place>();

  const show = useCallback(() => {
    const box = shownIn(anchor.current)?.getBoundingClientRect();
    if (!box) return;
    const isAbove = box.top > 48;
    setPlace({ x: box.left + box.width / 2, y: isAbove ? box.top - 6 : box.bottom + 6, isAbove });
  }, []);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setPlace(undefined);
  }, []);
  const showLater = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(show, delay);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!place) return;
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("scroll", hide, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("scroll", hide, true);
    };
  }, [place, hide]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches its child; the child is what one acts on
    <span
      ref={anchor}
      className="contents"
      onPointerEnter={(event) => event.pointerType === "mouse" && showLater()}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show()}
      onBlur={hide}
    >
      {place && describes ? cloneElement(children, { "aria-describedby": id }) : children}
      {place &&
        createPortal(
          <span
            ref={keepInView}
            role="tooltip"
            id={id}
            style={{ left: place.x, top: place.y, translate: `-50% ${place.isAbove ? "-100%" : "0"}` }}
            className={cx(
              "fade-in pointer-events-none fixed z-tooltip flex max-w-80 items-center gap-2 rounded-control bg-surface-inverse px-2 py-1 text-secondary text-inverse",
              className,
            )}
          >
            {content}
            {shortcut !== undefined && <kbd className="font-text opacity-70">{shortcut}</kbd>}
          </span>,
          document.body,
        )}
    </span>
  );
}

/** The first element inside that is drawn: a button stands in an element that has no box of its own. */
function shownIn(element: Element | null): Element | null {
  let shown = element?.firstElementChild ?? null;
  while (shown?.firstElementChild && shown.getClientRects().length === 0) shown = shown.firstElementChild;
  return shown;
}

/** Moves words that would stand over the edge of the window back into it. */
function keepInView(element: HTMLElement | null) {
  if (!element) return;
  const box = element.getBoundingClientRect();
  const over = Math.max(0, box.right - (window.innerWidth - 8)) - Math.max(0, 8 - box.left);
  if (over !== 0) element.style.marginLeft = `${-over}px`;
}
