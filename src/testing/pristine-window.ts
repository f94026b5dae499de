/** What tests change of a browser to stand in for another one: the window and what hangs on it. */
const targets: readonly object[] = [
  globalThis,
  navigator,
  document,
  ...[Blob, Document, Element, Event, File, HTMLElement, Range, Storage, URL].flatMap((one) => [
    one,
    one.prototype,
  ]),
];
const before = new Map(targets.map((target) => [target, Object.getOwnPropertyDescriptors(target)] as const));

/** Whether the test runner keeps it there, each file its own. */
const isOfRunner = (name: PropertyKey) => typeof name === "symbol" || String(name).startsWith("__vitest");

function isSame(one: PropertyDescriptor, other: PropertyDescriptor): boolean {
  return one.value === other.value && one.get === other.get && one.set === other.set;
}

/** Makes the window again what it was when the first file of tests began. */
export function restoreWindow(): void {
  for (const [target, was] of before) {
    const known: Record<PropertyKey, PropertyDescriptor> = was;
    for (const name of Reflect.ownKeys(target)) {
      if (isOfRunner(name)) continue;
      const now = Object.getOwnPropertyDescriptor(target, name);
      const then = known[name];
      if (now === undefined || !now.configurable || (then && isSame(now, then))) continue;
      if (then) Object.defineProperty(target, name, then);
      else Reflect.deleteProperty(target, name);
    }
    for (const name of Reflect.ownKeys(was))
      if (!isOfRunner(name) && !Object.hasOwn(target, name))
        Object.defineProperty(target, name, known[name] ?? {});
  }
  for (const element of [document.documentElement, document.body])
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  document.body.replaceChildren();
  document.title = "";
  history.replaceState(null, "", "/");
  localStorage.clear();
  sessionStorage.clear();
}
