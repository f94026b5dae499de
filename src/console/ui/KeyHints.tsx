import { Kbd } from "./Kbd.tsx";

/** Keys that work here, and what they do in a word. */
export interface KeyHint {
  readonly keys: readonly string[];
  readonly does: string;
}

export const moveKeys: KeyHint = { keys: ["j", "k"], does: "move" };
export const openKey: KeyHint = { keys: ["enter"], does: "open" };

/** Key hints one after the other; they stand in the row of whoever shows them. */
export function KeyHints({ hints }: { hints: readonly KeyHint[] }) {
  return hints.map(({ keys, does }) => (
    <span key={does} className="flex items-center gap-1 whitespace-nowrap">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}{" "}
      {does}
    </span>
  ));
}
