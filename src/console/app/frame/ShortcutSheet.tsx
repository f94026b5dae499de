import { useState } from "react";
import type { Keys } from "../../lib/page/shortcuts.ts";
import { isMac, type NamedKeys, type Overlays, useOverlays } from "../../lib/page/shortcuts.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { Switch } from "../../ui/Choices.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd, singleKeyClass } from "../../ui/Kbd.tsx";

interface KeyGroup {
  readonly name: string;
  readonly shortcuts: readonly NamedKeys[];
}

/** What the page's parts say of their keys now, each key once. */
function groupsOf(keysOfPage: Overlays["keysOfPage"]): readonly KeyGroup[] {
  const groups = new Map<string, Map<Keys, NamedKeys>>();
  for (const { place, shortcuts } of keysOfPage) {
    const group = groups.get(place) ?? new Map<Keys, NamedKeys>();
    for (const one of shortcuts.current) group.set(one.keys, one);
    groups.set(place, group);
  }
  return [...groups]
    .map(([name, keys]) => ({ name, shortcuts: [...keys.values()] }))
    .filter(({ shortcuts }) => shortcuts.length > 0);
}

/** All keys that work, by place, and the switch of those that act without a command key. Opened by `?` and from the settings. */
export default function ShortcutSheet({
  everywhere,
  onClose,
}: {
  everywhere: KeyGroup["shortcuts"];
  onClose: () => void;
}) {
  const { keysOfPage } = useOverlays();
  const { keys, set } = usePreferences();
  const isOff = (one: NamedKeys) => keys === "off" && singleKeyClass(one.keys) !== false;
  // As it was when the sheet was opened: the page lies behind it.
  const [ofPage] = useState(() => groupsOf(keysOfPage));
  // What the page does with a key comes before what every page does with it.
  const taken = new Set(ofPage.flatMap(({ shortcuts }) => shortcuts.map(({ keys }) => keys)));
  const elsewhere = everywhere.filter(({ keys }) => !taken.has(keys));
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <Switch
        label="Single-key shortcuts"
        checked={keys === "on"}
        onChange={({ target }) => set("keys", target.checked ? "on" : "off")}
      />
      <p role="status" className="mt-0.5 mb-4 text-muted text-secondary">
        {keys === "on"
          ? "Shortcuts that need no Ctrl or Command."
          : "Off: shortcuts without Ctrl or Command do nothing. Turn them on here or in the settings."}
      </p>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {[{ name: "Everywhere", shortcuts: elsewhere }, ...ofPage].map((group) => (
          <section key={group.name}>
            <h3 className="pb-1 font-semibold">{group.name}</h3>
            <dl>
              {group.shortcuts.map((shortcut) => (
                <div key={shortcut.keys} className="flex h-7 items-center justify-between gap-4">
                  <dt className="text-muted">{shortcut.does}</dt>
                  <dd className="flex items-center gap-1">
                    {isOff(shortcut) && <span className="mr-1 text-faint text-secondary">off</span>}
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
