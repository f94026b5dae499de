import Download from "lucide-react/icons/download";
import { useState } from "react";
import type { Caller } from "../../api/connection.ts";
import { describeError } from "../../api/describe-error.ts";
import { formatSize } from "../../lib/files.ts";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { placeOf } from "../../lib/markdown/links.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { formatMoment, parseTime } from "../../lib/time/format.ts";
import { Button } from "../../ui/Button.tsx";
import { later } from "../../ui/later.ts";
import { Notice } from "../../ui/Notice.tsx";
import type { Surroundings } from "./FilePreview.tsx";
import { RecipientFrame } from "./RecipientFrame.tsx";
import { type Opened, type OpenedFile, shownFilename } from "./shared-link.ts";

const FilePreview = later(() => import("./FilePreview.tsx"));

type Props = {
  caller: Caller;
  surround: () => Promise<Surroundings>;
  opened: Extract<Opened, { kind: "file" }>;
  hasPassword: boolean;
  /** Opens the link again for fresh addresses; null: it did not open, and the page says why. */
  onRenew: () => Promise<OpenedFile | null>;
};

/** The file that a link opens: what it is, how it looks, and the way to keep it. */
export function OpenedLink({ caller, surround, opened, hasPassword, onRenew }: Props) {
  const { zone } = usePreferences();
  const { file } = opened;
  const [isSaving, setSaving] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  const [foreign, setForeign] = useState<string | null>(null);
  const name = shownFilename(file.filename);
  const made = parseTime(file.created_at);
  const facts = [
    made === null ? null : formatMoment(made, { zone }),
    file.media_type || null,
    typeof file.size === "number" ? formatSize(file.size) : null,
    "you can view and download it",
  ].filter((fact) => fact !== null);

  const save = async () => {
    setSaving(true);
    // Always a fresh address: the last one may have ended, and the link itself may be closed by now.
    const fresh = await onRenew();
    setSaving(false);
    setUnsaved(fresh === null);
    const place = placeOf(caller, fresh?.download_url);
    if (fresh === null || place.kind === "nowhere") return;
    if (place.kind === "here") saveFrom(place.url, fresh.filename ?? "");
    else setForeign(place.url);
  };
  return (
    <RecipientFrame isWide sharedBy={file.shared_by} aside={hasPassword && "Unlocked in this tab"}>
      <div className="flex shrink-0 flex-wrap items-start gap-3 border-b px-4 py-3 sm:px-5">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="truncate text-title" title={name}>
            <bdi>{name}</bdi>
          </h1>
          <p className="text-muted text-secondary">{facts.join(" · ")}</p>
        </div>
        <Button variant="primary" icon={<Download />} loading={isSaving} onClick={() => void save()}>
          Download
        </Button>
      </div>
      {isUnsaved && opened.failure !== undefined && <NotSaved error={opened.failure} />}
      {foreign !== null && (
        <Notice kind="waits" title="The file is stored elsewhere">
          It is stored at <bdi>{new URL(foreign).host}</bdi>, which this page does not load automatically.{" "}
          <a href={foreign} target="_blank" rel="noopener noreferrer" className="font-medium text-accent">
            Go there
          </a>
        </Notice>
      )}
      <div className="flex min-h-0 flex-1 flex-col overflow-auto">
        <LazyPart fallback={<p className="p-5 text-muted">The preview is loading.</p>}>
          <FilePreview surroundings={surround()} file={file} onRenew={onRenew} />
        </LazyPart>
      </div>
    </RecipientFrame>
  );
}

/** The link was not reached when the file was to be saved: what is shown stays. */
function NotSaved({ error }: { error: unknown }) {
  const { what, means } = describeError(error);
  return (
    <Notice kind="failed" title="Not downloaded">
      {what} {means} Try again.
    </Notice>
  );
}

/** Lets the browser save what is at an address of this origin, which answers it as a file; no page is left for it. */
function saveFrom(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.referrerPolicy = "no-referrer";
  link.click();
}
