import { cloneElement, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";

/** An element that is drawn as a part: a router's link with its name in it. */
export type Fillable = ReactElement<{
  className?: string;
  children?: ReactNode;
  "aria-describedby"?: string;
}>;

/** `element` with these properties and children: its own class stands after, what else it says itself wins. */
export function fillElement(
  element: Fillable,
  props: { className: string; "aria-current"?: "page" },
  children: ReactNode,
): Fillable {
  const own = element.props;
  return cloneElement(element, { ...props, ...own, className: cx(props.className, own.className) }, children);
}
