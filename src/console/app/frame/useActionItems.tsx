import { useNavigate } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import Clock from "lucide-react/icons/clock";
import Contrast from "lucide-react/icons/contrast";
import Keyboard from "lucide-react/icons/keyboard";
import LogOut from "lucide-react/icons/log-out";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Rows3 from "lucide-react/icons/rows-3";
import SquareMousePointer from "lucide-react/icons/square-mouse-pointer";
import { useState, useSyncExternalStore } from "react";
import { useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { useOverlays } from "../../lib/page/overlaysContext.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import type { PaletteItem } from "./Palette.tsx";

const themes = { light: "Light theme", dark: "Dark theme", system: "Theme as the system" } as const;

/** What the palette can do: what the page behind it does by a key, then what is done anywhere. */
export function useActionItems(): readonly PaletteItem[] {
  return [...usePageActions(), ...useMade(), ...useSettings()];
}

/** Keys that step, select or close are for the hand: nobody opens a palette for them. */
const steps =
  /^(?:Next|Previous|Close|Clear|Select|Open|To the|Choose|Go to the|Search this page)\b|\b(?:before|after)\b/;

/** As the page was when the palette was opened. */
function usePageActions(): readonly PaletteItem[] {
  const { keysOfPage } = useOverlays();
  const [actions] = useState(() =>
    [...keysOfPage].flatMap(({ shortcuts }) => shortcuts.current.filter(({ does }) => !steps.test(does))),
  );
  return actions.flatMap(({ keys, does, run }) =>
    run === undefined
      ? []
      : [
          {
            id: `page does ${keys}`,
            group: "On this page",
            icon: <SquareMousePointer />,
            name: does,
            run: () => run(new KeyboardEvent("keydown", { key: keys })),
          },
        ],
  );
}

function useMade(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const canCreate = useCan("agent_create");
  const run = () => void navigate({ to: "/agents/new" });
  return canCreate ? [{ id: "do New agent", group: "Actions", icon: <Bot />, name: "New agent", run }] : [];
}

function useSettings(): readonly PaletteItem[] {
  const { theme, density, zone, keys, set } = usePreferences();
  const { session } = useWheelhouse();
  const overlays = useOverlays();
  const { polling } = useApi();
  const { setting } = useSyncExternalStore(polling.situation.subscribe, polling.situation.get);
  const isPaused = setting === "paused";
  const action = (name: string, icon: PaletteItem["icon"], run: () => void, detail = "") => ({
    ...{ id: `do ${name}`, group: "Actions", name, icon, run, detail },
  });
  return [
    ...(["light", "dark", "system"] as const)
      .filter((one) => one !== theme)
      .map((one) => action(themes[one], <Contrast />, () => set("theme", one))),
    density === "normal"
      ? action("Compact rows", <Rows3 />, () => set("density", "compact"))
      : action("Normal rows", <Rows3 />, () => set("density", "normal")),
    zone === "local"
      ? action("Times in UTC", <Clock />, () => set("zone", "utc"))
      : action("Local times", <Clock />, () => set("zone", "local")),
    isPaused
      ? action(
          "Resume refreshing",
          <Play />,
          () => polling.setSetting("auto"),
          "pages are read by themselves again",
        )
      : action(
          "Pause refreshing",
          <Pause />,
          () => polling.setSetting("paused"),
          "nothing is read by itself",
        ),
    keys === "on"
      ? action("Turn off single-key shortcuts", <Keyboard />, () => set("keys", "off"))
      : action("Turn on single-key shortcuts", <Keyboard />, () => set("keys", "on")),
    action("Keyboard shortcuts", <Keyboard />, overlays.openSheet),
    action("Sign out in all tabs", <LogOut />, () => session.signOut()),
  ];
}
