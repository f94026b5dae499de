import { createLucideIcon } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import createIcon from "./icon.ts";

const node: [tag: string, attributes: Record<string, string>][] = [
  ["polyline", { points: "22 12 16 12 14 15 10 15 8 12 2 12", key: "a" }],
  ["path", { d: "M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6z", key: "b" }],
];
const OwnIcon = createIcon({ node });
const LibraryIcon = createLucideIcon("inbox", node);

/** Without the icon's name among the classes, which no style asks for. */
const drawn = (markup: string) => {
  const svg = new DOMParser().parseFromString(markup.replace("lucide-inbox", ""), "image/svg+xml");
  const attributes = (element: Element): unknown => [
    element.tagName,
    Object.fromEntries(
      [...element.attributes].map(({ name, value }) => [name, value.replaceAll(/\s+/g, " ").trim()]),
    ),
    [...element.children].map(attributes),
  ];
  return attributes(svg.documentElement);
};

describe("an icon as the build draws it", () => {
  it.each([{}, { className: "size-4 text-muted" }, { "aria-label": "Command" }, { strokeWidth: 3 }])(
    "is the same as the library's with %j",
    (props) => {
      expect(drawn(renderToStaticMarkup(<OwnIcon {...props} />))).toEqual(
        drawn(renderToStaticMarkup(<LibraryIcon {...props} />)),
      );
    },
  );
});
