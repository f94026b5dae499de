import X from "lucide-react/icons/x";
import { useState } from "react";
import { getCapabilities } from "../../../contract/console.ts";
import { watchEdited } from "../../api/poll.ts";
import { readOptions } from "../../api/read.ts";
import { useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import { useApi } from "../../lib/api.tsx";
import type { StorageTrouble } from "../../lib/history/key-value.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";

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

/** Says why nothing that is started begins, for as long as the service waits to be let go on. */
function PausedNotice() {
  const api = useApi();
  const { connections } = useWheelhouse();
  const { data } = useRead(
    readOptions(
      api,
      getCapabilities,
      {},
      { policy: watchEdited, inBackground: true, enabled: connections.some(({ paused }) => paused) },
    ),
  );
  const paused = data?.data.paused;
  if (!paused) return null;
  const reason = paused.reason ?? "";
  return (
    <Notice
      kind="waits"
      title={
        <>
          This service is paused: nothing runs here
          {paused.since && (
            <span className="font-normal text-muted">
              {" · for "}
              <Ago at={paused.since} suffix="" />
            </span>
          )}
        </>
      }
    >
      {reason && `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. `}
      Everything can be read, and what you start waits. When the other one no longer runs, whoever operates
      this one continues with <code className="text-mono">wheelhouse resume</code>.
    </Notice>
  );
}
