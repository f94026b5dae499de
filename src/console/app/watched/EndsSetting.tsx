import { useId, useState } from "react";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { MenuCheck, MenuLabel } from "../../ui/Menu.tsx";
import { type Allowed, askForNotifications, notificationsAllowed } from "./notifications.ts";

const tabTells = "Until then, the tab’s title and icon show it.";

/** What the person can do where the browser does not show notifications. */
const remedies: Readonly<Record<Allowed, string | null>> = {
  granted: null,
  denied: `This browser blocks notifications from this page. Allow them in the site settings, next to the address. ${tabTells}`,
  default: `You did not answer the browser’s prompt. Turn this off and on to be asked again. ${tabTells}`,
  never:
    "Browsers allow notifications only over https or on localhost. Here, the tab’s title and icon show it.",
};

/** The choice to be told when what is watched ends. The browser is asked on the click that turns it on, never before. */
export function EndsSetting() {
  const { ends, set } = usePreferences();
  const id = useId();
  const [allowed, setAllowed] = useState(notificationsAllowed);
  const remedy = ends === "on" ? remedies[allowed] : null;
  return (
    <>
      <MenuCheck
        checked={ends === "on"}
        onCheckedChange={(isOn) => {
          set("ends", isOn ? "on" : "off");
          if (isOn) void askForNotifications().then(setAllowed);
        }}
        {...(remedy !== null && { "aria-describedby": id })}
      >
        Notify me when a run or conversation I watch ends
      </MenuCheck>
      {remedy !== null && (
        <div id={id} className="max-w-[340px]">
          <MenuLabel>{remedy}</MenuLabel>
        </div>
      )}
    </>
  );
}
