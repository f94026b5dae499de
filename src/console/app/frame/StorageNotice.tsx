import X from "lucide-react/icons/x";
import type { StorageTrouble } from "../../lib/history/key-value.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";

const why: Readonly<Record<StorageTrouble, string>> = {
  blocked: "This browser blocks the console from storing data",
  full: "This browser is out of storage for the console",
  failing: "This browser’s storage is not working",
};

/** Says that what was typed and the runs that only this browser knows last until the page is left (C-30). */
export function StorageNotice({ trouble, onClose }: { trouble: StorageTrouble; onClose: () => void }) {
  return (
    <Notice
      kind="waits"
      title={why[trouble]}
      action={
        <IconButton size="small" label="Close this notice" onClick={onClose}>
          <X />
        </IconButton>
      }
    >
      Drafts and local history are lost when you leave this page. Everything else works.
    </Notice>
  );
}
