import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { useNow } from "../../../lib/time/clock.tsx";
import { formatAge, formatTime } from "../../../lib/time/format.ts";
import type { EditState } from "./edit-store.ts";

/** How old the draft is, on which version it began, and whether it is kept. */
export function DraftLine({ edit, version }: { edit: EditState; version: number | null }) {
  const { zone } = usePreferences();
  const { draft, keeping } = edit;
  const now = useNow(draft !== null);
  if (draft === null)
    return <p className="text-muted text-secondary">{version === null ? "" : `Version ${version}`}</p>;
  const since = draft.since ?? draft.at;
  return (
    <p className="text-muted text-secondary tabular-nums">
      Draft from{" "}
      <time dateTime={new Date(since).toISOString()}>{formatTime(since, { zone, now }, "minute")}</time>
      {draft.baseVersion !== null && ` on version ${draft.baseVersion}`},{" "}
      {keeping === "lost" ? (
        <span className="text-state-stopped-fg">not kept: this browser lets nothing be stored</span>
      ) : keeping === "pending" ? (
        "being kept"
      ) : (
        `kept on this device ${formatAge(now - draft.at)} ago`
      )}
    </p>
  );
}
