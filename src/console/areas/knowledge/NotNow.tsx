import ChevronDown from "lucide-react/icons/chevron-down";
import { useState } from "react";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { useNow } from "../../lib/time/clock.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { laterChoices, laterDay } from "./later.ts";

/** Puts a source off until a day: here alone, since the interface has no decline. */
export function NotNow({ onUntil }: { onUntil: (at: number) => void }) {
  const now = useNow();
  const { zone } = usePreferences();
  const [isChoosing, setChoosing] = useState(false);
  const [day, setDay] = useState("");
  const at = laterDay(day, now, zone);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            Not now <ChevronDown />
          </Button>
        }
      >
        {laterChoices(now, zone).map((choice) => (
          <MenuItem key={choice.words} onSelect={() => onUntil(choice.at)}>
            {choice.words}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setChoosing(true)}>Until another day…</MenuItem>
      </Menu>
      <Dialog
        isNarrow
        isOpen={isChoosing}
        onOpenChange={setChoosing}
        title="Not now, but when?"
        description="It comes back to the top of this list on that day, in this browser."
        footer={
          <Button
            variant="primary"
            disabledReason={at === null ? "choose a day to come" : undefined}
            onClick={() => {
              if (at !== null) onUntil(at);
              setChoosing(false);
            }}
          >
            Put it off
          </Button>
        }
      >
        <Field label="Until">
          <Input type="date" value={day} onChange={(event) => setDay(event.target.value)} />
        </Field>
      </Dialog>
    </>
  );
}
