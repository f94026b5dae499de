import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Popover } from "../../../ui/Menu.tsx";
import type { PickerProps } from "./PickerList.tsx";
import { PickerList } from "./PickerList.tsx";

/** The one way to give an agent tools and to take them away: a list beside its button, on phones a sheet. */
export function ToolPicker({
  offReason,
  ...picker
}: PickerProps & { readonly offReason?: string | undefined }) {
  const isPhone = useMedia(phone);
  const [isOpen, setOpen] = useState(false);
  const list = <PickerList {...picker} />;
  const button = (
    <Button
      size="small"
      icon={<Plus />}
      disabledReason={offReason}
      reasonAs="title"
      {...(isPhone && { onClick: () => setOpen(true) })}
    >
      Add tools
    </Button>
  );
  if (offReason !== undefined) return button;
  if (!isPhone) {
    return (
      <Popover label="Tools" align="end" trigger={button} className="flex h-[440px] w-[420px] p-0!">
        {list}
      </Popover>
    );
  }
  return (
    <>
      {button}
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Tools"
        footer={
          <Button variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        }
      >
        <div className="-mx-4 flex h-[60dvh]">{list}</div>
      </Dialog>
    </>
  );
}
