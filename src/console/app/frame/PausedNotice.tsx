import { getCapabilities } from "../../../contract/console.ts";
import { watchEdited } from "../../api/poll.ts";
import { readOptions } from "../../api/read.ts";
import { useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import { useApi } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** Says why nothing that is started begins, for as long as the service waits to be let go on. */
export function PausedNotice() {
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
