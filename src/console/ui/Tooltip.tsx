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
import { singleKeyClass } from "./Kbd.tsx";

type Place = { x: number; y: number; isAbove: boolean };
type Props = {
  /** Nothing is shown without. */
  content: ReactNode | undefined;
  /** The key that does the same. */
  shortcut?: string | undefined;
  /** False where the child's own name says the same, so that it is not read twice. */
  describes?: boolean;
  /** One element that takes the focus. */
  children: ReactElement<{ "aria-describedby"?: string }>;
  className?: string;
};

const delay = 400;

/**
 * Words on hover and on keyboard focus. They stay while the pointer is on them or on their element, or the focus in it;
 * Escape hides them before it closes anything else. Nothing needed to act may stand only here.
 */
export function Tooltip({ content, shortcut, describes = true, children, className }: Props) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const hasFocus = useRef(false);
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

  useEffect(() => {
    if (!place) return;
    const onKey = (event: KeyboardEvent) => {
      // Where there is room for the name itself the words are not drawn.
      if (event.key !== "Escape" || !tip.current || getComputedStyle(tip.current).display === "none") return;
      event.stopPropagation();
      hide();
    };
    // A log that follows its run scrolls all the time: only what moves the element matters.
    const onScroll = ({ target }: Event) => (target as Node).contains(anchor.current) && hide();
    window.addEventListener("keydown", onKey, true);
    document.addEventListener("scroll", onScroll, true);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      document.removeEventListener("scroll", onScroll, true);
    };
  }, [place, hide]);

  const onTip = useCallback((element: HTMLSpanElement | null) => {
    tip.current = element;
    if (!element) return;
    // A press on the words is none on the row that the element stands in.
    element.onclick = (event) => event.stopPropagation();
    keepInView(element);
  }, []);
  const isShown = place !== undefined && content !== undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches its child; the child is what one acts on
    <span
      ref={anchor}
      className="contents"
      // React counts the words to the element, wherever they are drawn.
      onPointerEnter={(event) => event.pointerType === "mouse" && showLater()}
      onPointerLeave={() => hasFocus.current || hide()}
      onPointerDown={(event) => tip.current?.contains(event.target as Node) || hide()}
      onFocus={(event) => {
        hasFocus.current = event.target.matches(":focus-visible");
        if (hasFocus.current) show();
      }}
      onBlur={() => {
        hasFocus.current = false;
        hide();
      }}
    >
      {isShown && describes ? cloneElement(children, { "aria-describedby": id }) : children}
      {isShown &&
        createPortal(
          <span
            ref={onTip}
            role="tooltip"
            id={id}
            style={{ left: place.x, top: place.y, translate: `-50% ${place.isAbove ? "-100%" : "0"}` }}
            className={cx("tip", place.isAbove && "tip-above", className)}
          >
            {content}
            {shortcut !== undefined && (
              <kbd className={cx("font-text opacity-70", singleKeyClass(shortcut))}>{shortcut}</kbd>
            )}
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
function keepInView(element: HTMLElement) {
  const box = element.getBoundingClientRect();
  const over = Math.max(0, box.right - (window.innerWidth - 8)) - Math.max(0, 8 - box.left);
  if (over !== 0) element.style.marginLeft = `${-over}px`;
}
