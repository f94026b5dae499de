/** What is inherited, as the browser begins with it. */
const inherited: Record<string, string> = { visibility: "visible", "pointer-events": "auto" };

const fromCamelCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What an element's own attribute says of a property; "" where it says nothing. */
function ownValue(element: Element, name: string): string {
  if (!element.hasAttribute("style")) return "";
  const { style } = element as HTMLElement;
  return style.getPropertyValue(name);
}

function inheritedValue(element: Element, name: string): string | undefined {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const value = ownValue(at, name);
    if (value !== "" && value !== "inherit") return value;
  }
  return inherited[name];
}

/**
 * Whether something can be seen and clicked is asked of each element for each query by role, and jsdom matches all
 * rules of its style sheet anew for each: half of the time of a component test. These three properties come from
 * the `style` attributes and, once for each kind of element, from that style sheet; all others are asked as before.
 * Sheets that a library puts into the page are not looked at: none of them hides anything that a test is about.
 *
 * @returns the function that takes the place of `window.getComputedStyle`
 */
export function quickComputedStyle(full: typeof window.getComputedStyle): typeof window.getComputedStyle {
  const displays = new Map<string, string>();

  function display(element: Element): string {
    const own = ownValue(element, "display");
    if (own !== "") return own;
    const attributes = ["type", "hidden", "open", "controls"].map((name) => element.getAttribute(name));
    const kind = JSON.stringify([element.parentElement?.localName, element.localName, ...attributes]);
    let known = displays.get(kind);
    if (known === undefined) {
      const alike = element.cloneNode(false) as Element;
      alike.removeAttribute("class");
      const around = element.parentElement?.cloneNode(false) as Element | undefined;
      around?.append(alike);
      known = full(alike).display;
      displays.set(kind, known);
    }
    return known;
  }

  return (element, pseudo) => {
    if (pseudo) return full(element, pseudo);
    const quick = (name: string) =>
      name === "display" ? display(element) : name in inherited ? inheritedValue(element, name) : undefined;
    return new Proxy({} as CSSStyleDeclaration, {
      get(_, name) {
        if (typeof name !== "string") return Reflect.get(full(element), name);
        if (name === "getPropertyValue")
          return (asked: string) => quick(asked) ?? full(element).getPropertyValue(asked);
        const value: unknown = quick(fromCamelCase(name)) ?? Reflect.get(full(element), name);
        return value;
      },
    });
  };
}
