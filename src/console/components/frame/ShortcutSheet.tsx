import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { isMac } from "./isMac.ts";
import type { Keys } from "./shortcuts.ts";

interface ShortcutGroup {
  readonly name: string;
  readonly shortcuts: readonly { readonly keys: Keys; readonly does: string }[];
}

/** Keys that single pages add by themselves. */
const pageGroups: readonly ShortcutGroup[] = [
  {
    name: "In the runs list",
    shortcuts: [
      { keys: "j", does: "Next run" },
      { keys: "k", does: "Run before" },
      { keys: "Enter", does: "Open the run" },
      { keys: "Escape", does: "Close the panel" },
    ],
  },
  {
    name: "With agents",
    shortcuts: [
      { keys: "j", does: "Next agent" },
      { keys: "k", does: "Agent before" },
      { keys: "n", does: "New conversation" },
    ],
  },
  {
    name: "In a conversation",
    shortcuts: [
      { keys: "]", does: "Next turn" },
      { keys: "[", does: "Turn before" },
      { keys: "t", does: "Next tool call" },
      { keys: "e", does: "Next error" },
      { keys: "n", does: "New conversation" },
    ],
  },
];

/** All keys that work, by place. Opened by `?`. */
export default function ShortcutSheet({
  everywhere,
  onClose,
}: {
  everywhere: ShortcutGroup["shortcuts"];
  onClose: () => void;
}) {
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Keyboard">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {[{ name: "Everywhere", shortcuts: everywhere }, ...pageGroups].map((group) => (
          <section key={group.name}>
            <h3 className="pb-1 font-semibold">{group.name}</h3>
            <dl>
              {group.shortcuts.map((shortcut) => (
                <div key={shortcut.keys} className="flex h-7 items-center justify-between gap-4">
                  <dt className="text-muted">{shortcut.does}</dt>
                  <dd className="flex gap-1">
                    <KeyCaps keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function KeyCaps({ keys }: { keys: Keys }) {
  if (keys.startsWith("mod+")) {
    const key = keys.slice(4).toUpperCase();
    return isMac() ? <Kbd command>{key}</Kbd> : <Kbd>Ctrl {key}</Kbd>;
  }
  return keys.split(" ").map((key) => <Kbd key={key}>{names[key] ?? key}</Kbd>);
}

const names: Readonly<Record<string, string>> = { Escape: "esc", Enter: "enter" };
