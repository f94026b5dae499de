import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { OverlaysContext, type Shortcut, useShortcuts } from "../../lib/page/shortcuts.ts";
import { later } from "../../ui/later.ts";
import { nav } from "./nav.tsx";

const AppPalette = later(() => import("./AppPalette.tsx"));
const ShortcutSheet = later(() => import("./ShortcutSheet.tsx"));

/** The keys that work on every page, the palette and the sheet that names the keys. */
export function Overlays({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<"palette" | "sheet" | null>(null);
  const [typed, setTyped] = useState("");
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
    { keys: "?", does: "Show keyboard shortcuts", run: overlays.openSheet },
    { keys: "n", does: "Start a run", run: () => void navigate({ to: "/runs/new" }) },
    ...nav.map((entry) => ({
      keys: entry.keys,
      does: `Go to ${entry.label}`,
      run: () => void navigate({ to: entry.to }),
    })),
  ];
  useShortcuts(shortcuts, "everywhere");
  const close = () => {
    setOpen(null);
    setTyped("");
  };
  return (
    <OverlaysContext value={overlays}>
      {children}
      <LazyPart>
        {open === "palette" && (
          <Suspense fallback={<TypedAhead onType={setTyped} />}>
            <AppPalette typed={typed} onClose={close} />
          </Suspense>
        )}
        {open === "sheet" && <ShortcutSheet everywhere={shortcuts} onClose={close} />}
      </LazyPart>
    </OverlaysContext>
  );
}

/** Keeps what is typed until the palette is there; the page's own keys get none of it. */
function TypedAhead({ onType }: { onType: (change: (text: string) => string) => void }) {
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      const { key } = event;
      if (event.ctrlKey || event.metaKey || (key.length > 1 && key !== "Backspace")) return;
      event.preventDefault();
      event.stopPropagation();
      onType((text) => (key.length > 1 ? text.slice(0, -1) : text + key));
    };
    addEventListener("keydown", take, true);
    return () => removeEventListener("keydown", take, true);
  }, [onType]);
  return null;
}

function focusPageSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-page-search]");
  field?.focus();
  field?.select();
}
