import LibraryIcon, { __iconData as data } from "lucide-react/icons/inbox";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import createIcon from "./icon.ts";

const OwnIcon = createIcon(data);

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
