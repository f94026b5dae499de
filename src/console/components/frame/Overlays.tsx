import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { later } from "../../ui/later.ts";
import { LazyPart } from "../LazyPart.tsx";
import { nav } from "./nav.tsx";
import { OverlaysContext } from "./overlaysContext.ts";
import { type Shortcut, useShortcuts } from "./shortcuts.ts";

const AppPalette = later(() => import("./AppPalette.tsx"));
const ShortcutSheet = later(() => import("./ShortcutSheet.tsx"));

/** The keys that work on every page, the palette and the sheet that names the keys. */
export function Overlays({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<"palette" | "sheet" | null>(null);
  const navigate = useNavigate();
  const overlays = useMemo(
    () => ({
      openPalette: () => setOpen("palette"),
      openSheet: () => setOpen("sheet"),
      keysOfPage: new Set<never>(),
    }),
    [],
  );
  const shortcuts: readonly Shortcut[] = [
    {
      keys: "mod+k",
      does: "Search or jump to",
      whileTyping: true,
      run: () => setOpen((now) => (now === "palette" ? null : "palette")),
    },
    { keys: "/", does: "Search this page", run: focusPageSearch },
    { keys: "?", does: "Show these keys", run: overlays.openSheet },
    { keys: "n", does: "Start a run", run: () => void navigate({ to: "/runs/new" }) },
    ...nav.map((entry) => ({
      keys: entry.keys,
      does: `Go to ${entry.label}`,
      run: () => void navigate({ to: entry.to }),
    })),
  ];
  useShortcuts(shortcuts, "everywhere");
  const close = () => setOpen(null);
  return (
    <OverlaysContext value={overlays}>
      {children}
      <LazyPart>
        {open === "palette" && <AppPalette onClose={close} />}
        {open === "sheet" && <ShortcutSheet everywhere={shortcuts} onClose={close} />}
      </LazyPart>
    </OverlaysContext>
  );
}

function focusPageSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-page-search]");
  field?.focus();
  field?.select();
}
