import X from "lucide-react/icons/x";
import { useState } from "react";
import type { StorageTrouble } from "../../lib/history/key-value.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PausedNotice } from "./PausedNotice.tsx";

/** What stands over every page, where there is something to be said. @param trouble with what this browser keeps; null: none */
export default function FrameNotices({ trouble }: { trouble: StorageTrouble | null }) {
  const [isClosed, setClosed] = useState(false);
  return (
    <>
      <PausedNotice />
      {trouble !== null && !isClosed && <StorageNotice trouble={trouble} onClose={() => setClosed(true)} />}
    </>
  );
}

const why: Readonly<Record<StorageTrouble, string>> = {
  blocked: "This browser blocks the console from storing data",
  full: "This browser is out of storage for the console",
  failing: "This browser’s storage is not working",
};

/** Says that what was typed and the runs that only this browser knows last until the page is left (C-30). */
function StorageNotice({ trouble, onClose }: { trouble: StorageTrouble; onClose: () => void }) {
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
