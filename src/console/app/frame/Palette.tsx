import { Command } from "cmdk";
import Search from "lucide-react/icons/search";
import TextSearch from "lucide-react/icons/text-search";
import X from "lucide-react/icons/x";
import * as Radix from "radix-ui/dialog";
import { type ReactNode, useRef, useState } from "react";
import { isMac } from "../../lib/page/shortcuts.ts";
import { useFocusReturn } from "../../ui/Dialog.tsx";
import { Kbd, KeyHints, openKey } from "../../ui/Kbd.tsx";

export interface PaletteItem {
  readonly id: string;
  readonly group: string;
  readonly icon: ReactNode;
  readonly name: string;
  /** Faint words after the name, searched too. */
  readonly detail?: string;
  /** What it was found by, where its name and detail do not have it. */
  readonly foundBy?: string;
  /** At the right: an age, a state. */
  readonly aside?: ReactNode;
  readonly run: () => void;
}

const itemClass =
  "flex h-9 max-sm:h-10 cursor-default select-none items-center gap-2.5 rounded-tag px-2 data-[selected=true]:bg-surface-hover";
const groupClass =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-secondary";

type Props = {
  items: readonly PaletteItem[];
  /** What is typed. */
  text: string;
  onText: (text: string) => void;
  /** Looks for the text inside of everything, not only in names. */
  onEverywhere: (text: string) => void;
  onClose: () => void;
};

/** The last entry, whatever is typed. */
const everywhereId = "everywhere";

/** Everything by its own words: pages, flows to start, runs, actions. Opened by the command key and K. */
export default function Palette({ items, text, onText, onEverywhere, onClose }: Props) {
  const groups = [...new Set(items.map((item) => item.group))];
  const wanted = text.trim();
  const best = bestOf(items, text);
  /** What the person moved to, or what was the best when it came; null while nothing but the last entry fits. */
  const [chosen, setChosen] = useState<string | null>(null);
  const isChosen = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();
  const choose = (act: () => void) => {
    isChosen.current = true;
    onClose();
    act();
  };
  const searchEverywhere = () => choose(() => onEverywhere(wanted));
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-dialog bg-scrim" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus();
            // Radix would select what was typed while the palette was on its way, and the next letter replace it.
            event.preventDefault();
            field.current?.focus();
            field.current?.setSelectionRange(text.length, text.length);
          }}
          onCloseAutoFocus={(event) => {
            if (!isChosen.current) onCloseAutoFocus(event);
            // What was chosen is in the page, and not where the palette was opened.
            else if (document.activeElement === document.body)
              document.getElementById("content")?.focus({ preventScroll: true });
          }}
          aria-describedby={undefined}
          className="fade-in fixed inset-x-3 top-dialog-top z-dialog mx-auto max-w-[560px] overflow-hidden rounded-dialog bg-surface-raised shadow-dialog outline-none"
        >
          <Radix.Title className="sr-only">Search or jump to</Radix.Title>
          <Command
            label="Search or jump to"
            loop
            filter={rank}
            // What fits may come after the words: until then the last entry is no choice.
            value={chosen ?? best ?? everywhereId}
            onValueChange={(id) => setChosen(id === everywhereId && best === undefined ? null : id)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
              event.preventDefault();
              searchEverywhere();
            }}
          >
            <div className="flex items-center gap-2.5 border-b px-3.5">
              <Search className="size-4 text-muted" />
              <Command.Input
                ref={field}
                value={text}
                onValueChange={onText}
                placeholder="Pages, agents, conversations, runs, actions"
                className="h-11 min-w-0 flex-1 bg-transparent text-control outline-none"
              />
              <span className="max-sm:hidden">
                <Kbd>esc</Kbd>
              </span>
              <Radix.Close aria-label="Close" className="hit rounded-tag p-1 text-muted sm:hidden">
                <X />
              </Radix.Close>
            </div>
            <Command.List className="max-h-[min(420px,60dvh)] overflow-y-auto p-1">
              {groups.map((group) => (
                <Command.Group key={group} heading={group} className={groupClass}>
                  {items
                    .filter((item) => item.group === group)
                    .map((item) => (
                      <Command.Item
                        key={item.id}
                        value={item.id}
                        keywords={keywordsOf(item)}
                        onSelect={() => choose(item.run)}
                        className={itemClass}
                      >
                        <span className="flex text-muted">{item.icon}</span>
                        <span className="min-w-0 flex-1 truncate">
                          {item.name}
                          {item.detail && <span className="text-muted"> · {item.detail}</span>}
                        </span>
                        <span className="text-muted text-secondary">{item.aside}</span>
                      </Command.Item>
                    ))}
                </Command.Group>
              ))}
              {wanted !== "" && (
                <Command.Group heading="Search" className={groupClass}>
                  <Command.Item value={everywhereId} onSelect={searchEverywhere} className={itemClass}>
                    <span className="flex text-muted">
                      <TextSearch />
                    </span>
                    <span className="min-w-0 flex-1 truncate">
                      Search everywhere for “<bdi>{wanted}</bdi>”
                      <span className="text-muted"> · logs, messages, inputs, outputs</span>
                    </span>
                  </Command.Item>
                </Command.Group>
              )}
            </Command.List>
            <footer className="flex items-center gap-3 border-t px-3 py-2 text-muted text-secondary max-sm:hidden">
              <KeyHints
                hints={[
                  { keys: ["↑", "↓"], does: "move" },
                  openKey,
                  { keys: [isMac() ? "cmd enter" : "ctrl enter"], does: "search everywhere" },
                ]}
              />
            </footer>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The id of the item that fits best, the first among equals; undefined where none does. */
function bestOf(items: readonly PaletteItem[], text: string): string | undefined {
  let best: { readonly id: string; readonly fit: number } | undefined;
  for (const item of items) {
    const fit = rank(item.id, text, keywordsOf(item));
    if (fit > (best?.fit ?? 0)) best = { id: item.id, fit };
  }
  return best?.id;
}

/** What `rank` looks at besides the id. */
const keywordsOf = ({ name, detail, foundBy }: PaletteItem) => [name, `${detail ?? ""} ${foundBy ?? ""}`];

/**
 * How well an item fits what is typed, 0 to 1: every word has to stand in its name or its detail. A name that begins
 * with the text comes first; among equals the order of the groups stays.
 */
export function rank(id: string, text: string, [name = "", detail = ""]: readonly string[] = []): number {
  if (id === everywhereId) return 0.01;
  const wanted = text.trim().toLowerCase();
  const title = name.toLowerCase();
  if (title.startsWith(wanted)) return 1;
  if (title.includes(wanted)) return 0.8;
  const all = `${title} ${detail.toLowerCase()}`;
  return wanted.split(/\s+/).every((word) => all.includes(word)) ? 0.5 : 0;
}
