import { useEffect, useRef, useState } from "react";
import { useApi } from "../../lib/api.tsx";
import { formatSize, saveBlob } from "../../lib/files.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { findSecret } from "../../lib/secret-warning/find-secret.ts";
import { isoDay } from "../../lib/time/format-day.ts";
import { useStore } from "../../lib/useStore.ts";
import { counted, grouped } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { DefinitionList } from "../../ui/DefinitionList.tsx";
import { ConfirmDialog, Dialog } from "../../ui/Dialog.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { useSignedIn } from "../session/index.ts";
import { ImportResult, useImport } from "./ImportResult.tsx";
import { writeKnown } from "./transfer/read-write-known.ts";

/** The runs and conversations that this browser keeps for the person: to take along, to bring in, to forget. */
export default function KnownDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const { zone } = usePreferences();
  const as = useSignedIn();
  const { runs, conversations, file } = useKnownFile();
  const { state, take } = useImport();
  const [isForgetting, setForgetting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isEmpty = runs.length + conversations.length === 0;
  const nothing = isEmpty ? "nothing yet" : undefined;
  const all = `${counted(runs.length, "run")} and ${counted(conversations.length, "conversation")}`;

  if (isForgetting) {
    return (
      <ConfirmDialog
        onClose={() => setForgetting(false)}
        title={`Forget ${all}?`}
        consequence="This browser no longer lists or watches them, or fills in what you sent. The service and your drafts do not change. Only an exported file can restore them."
        action="Forget"
        onConfirm={() => {
          void api.history.forget(...runs.map(({ id }) => id));
          void api.conversations.forget(...conversations.map(({ id }) => id));
          setForgetting(false);
        }}
      />
    );
  }
  return (
    <Dialog
      onClose={onClose}
      title="Local history"
      description={`Runs and conversations you started or opened here, as ${as.userName ?? as.credential.userId ?? "this key"} on ${as.connection.name}. Stored only in this browser; signing out clears it.`}
      footerNote={isEmpty ? undefined : "Your key is not in the file."}
      footer={
        <>
          <Button loading={state.is === "reading"} onClick={() => field.current?.click()}>
            Import…
          </Button>
          <Button
            loading={file === null}
            disabledReason={nothing}
            reasonAs="title"
            onClick={() =>
              file && saveBlob(file.blob, `wheelhouse-known-${isoDay(api.clock.now(), zone)}.ndjson`)
            }
          >
            Export
          </Button>
          <Button
            variant="danger"
            disabledReason={nothing}
            reasonAs="title"
            onClick={() => setForgetting(true)}
          >
            Forget…
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {isEmpty ? (
          <p>Nothing yet. Start a run or a conversation, or import a file from another browser.</p>
        ) : (
          <DefinitionList
            nameWidth={120}
            rows={[
              { key: "runs", name: "Runs", value: grouped(runs.length) },
              {
                key: "conversations",
                name: "Conversations",
                value: grouped(conversations.length),
              },
              { key: "size", name: "Size", value: file === null ? "…" : formatSize(file.blob.size) },
            ]}
          />
        )}
        {file !== null && file.bare > 0 && (
          <p className="text-muted">
            {counted(file.bare, "record")} {file.bare === 1 ? "looks" : "look"} as if a password or key was
            sent. In the file, {file.bare === 1 ? "it is exported" : "they are exported"} without inputs and
            messages.
          </p>
        )}
        <input
          ref={field}
          type="file"
          accept=".ndjson,.jsonl,application/x-ndjson"
          hidden
          aria-label="File to import"
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = "";
            if (chosen) void take(chosen);
          }}
        />
        {state.is === "reading" && (
          <p role="status">Importing the file, {Math.round(state.share * 100)} %…</p>
        )}
        {state.is === "failed" && (
          <Notice kind="failed" look="box" title="The file could not be read">
            {state.problem}
          </Notice>
        )}
        {state.is === "done" && (
          <ImportResult report={state.report} onSame={(services) => void take(state.file, services)} />
        )}
      </div>
    </Dialog>
  );
}

/** What this browser knows, as the file that would be exported. */
interface KnownAsFile {
  readonly blob: Blob;
  /** Records that go without what was sent, since it looks as if it held a key. */
  readonly bare: number;
}

/** What this browser knows of the signed-in person's runs and conversations; `file` is null while it is being written. */
function useKnownFile() {
  const api = useApi();
  const runs = useStore(api.history.list);
  const conversations = useStore(api.conversations.list);
  const [file, setFile] = useState<KnownAsFile | null>(null);
  useEffect(() => {
    const wanted = new AbortController();
    const options = {
      owner: { service: location.origin, as: api.id },
      now: api.clock.now(),
      isSecret: (text: string) => findSecret(text) !== null,
      signal: wanted.signal,
    };
    writeKnown(runs, conversations, options).then(
      ({ lines, bare }) => {
        if (wanted.signal.aborted) return;
        setFile({ blob: new Blob([...lines], { type: "application/x-ndjson" }), bare });
      },
      () => {
        // Given up: what is known has changed, and is written anew.
      },
    );
    return () => wanted.abort();
  }, [api, runs, conversations]);
  return { runs, conversations, file };
}
