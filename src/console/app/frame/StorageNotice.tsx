import X from "lucide-react/icons/x";
import type { StorageTrouble } from "../../lib/history/key-value.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";

const why: Readonly<Record<StorageTrouble, string>> = {
  blocked: "This browser does not let the console keep anything",
  full: "This browser has no more room for the console",
  failing: "This browser's store does not work",
};

/** Says that what was typed and the runs that only this browser knows last until the page is left (C-30). */
export default function StorageNotice({
  trouble,
  onClose,
}: {
  trouble: StorageTrouble;
  onClose: () => void;
}) {
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
      Drafts, and the runs and conversations that only this browser knows, last until this page is left.
      Everything else works.
    </Notice>
  );
}
