import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { saveBlob } from "../../../lib/saveBlob.ts";
import { formatSize } from "../../../lib/time/format.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Id } from "../../../ui/Id.tsx";
import { rawRunQuery } from "../raw-run.ts";

/** What of a body is drawn; the rest is for the download. */
const drawn = 100_000;

/** The answer of the service for this run, as it came. */
export default function RawAnswer({ runId, onClose }: { runId: string; onClose: () => void }) {
  const api = useApi();
  const raw = useQuery(rawRunQuery(api, runId));
  const body = raw.data?.body;
  const text = useBeginning(body);
  const rest = body ? body.size - drawn : 0;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Raw answer"
      description="What the service answers for this run, as it comes: nothing is left out or put in order."
      footerNote={
        raw.data?.requestId && (
          <span className="flex items-center gap-1">
            request <Id id={raw.data.requestId} what="request id" cut={[8, 4]} />
          </span>
        )
      }
      footer={
        <>
          <Button onClick={() => void raw.refetch()} loading={raw.isFetching}>
            Reload
          </Button>
          {body && <Button onClick={() => saveBlob(body, `${runId}.json`)}>Download</Button>}
        </>
      }
    >
      {raw.isError ? (
        <Failure error={raw.error} what="The answer" />
      ) : text === null ? (
        <p className="text-muted">Reading…</p>
      ) : (
        <>
          <section
            aria-label="Body"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard, so it has to take the focus
            tabIndex={0}
            className="max-h-[50dvh] overflow-auto rounded-control bg-surface-sunken p-3"
          >
            <pre className="whitespace-pre-wrap break-all text-mono-json">{text}</pre>
          </section>
          {rest > 0 && (
            <p className="pt-2 text-muted text-secondary">
              {formatSize(rest)} more of {formatSize(body?.size ?? 0)}; download it to read all.
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

function useBeginning(body: Blob | undefined): string | null {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (!body) return;
    let isGone = false;
    void body
      .slice(0, drawn)
      .text()
      .then((read) => !isGone && setText(read));
    return () => {
      isGone = true;
    };
  }, [body]);
  return text;
}
