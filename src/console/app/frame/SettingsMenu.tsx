import { useNavigate } from "@tanstack/react-router";
import Settings from "lucide-react/icons/settings";
import { useState } from "react";
import { credentialWords } from "../../areas/session/owners.ts";
import { useSignedIn, useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import { useCan } from "../../lib/api.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { useOverlays } from "../../lib/page/shortcuts.ts";
import { type Preferences, usePreferences } from "../../lib/preferences/preferences.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { later } from "../../ui/later.ts";
import {
  Menu,
  MenuCheck,
  MenuChoice,
  MenuChoices,
  MenuItem,
  MenuLabel,
  MenuSeparator,
} from "../../ui/Menu.tsx";
import { EndsSetting } from "../watched/EndsSetting.tsx";

const KnownDialog = later(() => import("../../areas/history/KnownDialog.tsx"));

/** How the console looks in this browser, what it tells and keeps, and the way out. */
export default function SettingsMenu() {
  const { theme, density, zone, keys, set } = usePreferences();
  const { session } = useWheelhouse();
  const as = useSignedIn();
  const overlays = useOverlays();
  const navigate = useNavigate();
  const canRetention = useCan("retention");
  const canAdmin = useCan("admin");
  const [isKnownOpen, setKnownOpen] = useState(false);
  return (
    <>
      <Menu
        defaultOpen
        align="end"
        trigger={
          <IconButton label="Settings">
            <Settings />
          </IconButton>
        }
      >
        <MenuLabel>
          {as.userName ?? as.credential.userId ?? as.connection.name} · {credentialWords(as)}
        </MenuLabel>
        <MenuSeparator />
        <MenuLabel>Theme</MenuLabel>
        <MenuChoices value={theme} onValueChange={(value) => set("theme", value as Preferences["theme"])}>
          <MenuChoice value="system">System</MenuChoice>
          <MenuChoice value="light">Light</MenuChoice>
          <MenuChoice value="dark">Dark</MenuChoice>
        </MenuChoices>
        <MenuSeparator />
        <MenuLabel>Rows</MenuLabel>
        <MenuChoices
          value={density}
          onValueChange={(value) => set("density", value as Preferences["density"])}
        >
          <MenuChoice value="normal">Normal</MenuChoice>
          <MenuChoice value="compact">Compact</MenuChoice>
        </MenuChoices>
        <MenuSeparator />
        <MenuLabel>Times</MenuLabel>
        <MenuChoices value={zone} onValueChange={(value) => set("zone", value as Preferences["zone"])}>
          <MenuChoice value="local">Local</MenuChoice>
          <MenuChoice value="utc">UTC</MenuChoice>
        </MenuChoices>
        <MenuSeparator />
        <EndsSetting />
        <MenuCheck checked={keys === "on"} onCheckedChange={(isOn) => set("keys", isOn ? "on" : "off")}>
          Single-key shortcuts
        </MenuCheck>
        <MenuSeparator />
        <MenuItem onSelect={() => setKnownOpen(true)}>Local history</MenuItem>
        {canAdmin && as.credential.kind !== "team" && (
          <>
            <MenuItem onSelect={() => void navigate({ to: "/admin", search: { tab: "keys" } })}>
              API keys and sessions
            </MenuItem>
            <MenuItem onSelect={() => void navigate({ to: "/admin" })}>People and teams</MenuItem>
          </>
        )}
        {canRetention && <MenuItem onSelect={() => void navigate({ to: "/retention" })}>Retention</MenuItem>}
        <MenuItem shortcut="?" onSelect={overlays.openSheet}>
          Keyboard shortcuts{" "}
        </MenuItem>
        <MenuItem onSelect={() => session.signOut()}>Sign out in all tabs</MenuItem>
      </Menu>
      {isKnownOpen && (
        <LazyPart>
          <KnownDialog onClose={() => setKnownOpen(false)} />
        </LazyPart>
      )}
    </>
  );
}
