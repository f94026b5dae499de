import { type ComponentProps, createElement } from "react";
import { cx } from "./cx.ts";

/** An icon as the library has it: its parts with their attributes. */
interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Makes an icon of the library's data. The build puts it in the place of the library's own `createLucideIcon`
 * (`vite.config.ts`), which also draws for other frameworks, sizes and colours by props, and needs three components for
 * each icon; ours are sized and coloured by the style sheet.
 */
export default function createIcon({ node }: IconData) {
  return ({ className, ...rest }: ComponentProps<"svg">) =>
    createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        ...{ width: 24, height: 24, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor" },
        ...{ strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round" },
        className: cx("lucide", className),
        // Whoever gives it a name wants it read out.
        "aria-hidden": rest["aria-label"] === undefined ? true : undefined,
        ...rest,
      },
      // Always the same ones: they need no keys.
      ...node.map(([tag, { key: _, ...attributes }]) => createElement(tag, attributes)),
    );
}
