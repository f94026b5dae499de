import Command from "lucide-react/icons/command";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** A key or a pair of keys without a command key gets the class that hides hints of what is switched off (styles.css). */
export const singleKeyClass = (keys: unknown) => /^[!-~]( [!-~])?$/.test(String(keys)) && "single-key";

/** A key to press. The command sign is drawn, because the fonts do not carry it. */
export function Kbd({ children, command = false }: { children: ReactNode; command?: boolean }) {
  return (
    <kbd className={cx("key", !command && singleKeyClass(children))}>
      {command && <Command className="size-[11px]" aria-label="Command" />}
      {children}
    </kbd>
  );
}

/** Keys that work here, and what they do in a word. */
export interface KeyHint {
  readonly keys: readonly string[];
  readonly does: string;
}

export const moveKeys: KeyHint = { keys: ["j", "k"], does: "move" };
export const openKey: KeyHint = { keys: ["enter"], does: "open" };
export const selectKey: KeyHint = { keys: ["x"], does: "select" };

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
