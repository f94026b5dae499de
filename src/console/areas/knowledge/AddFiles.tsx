import { useMutation } from "@tanstack/react-query";
import Upload from "lucide-react/icons/upload";
import { useRef, useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { formatSize } from "../../lib/time/format.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/StateShape.tsx";
import { knowledgeMutations } from "./queries.ts";
import { mostBytes, readUpload } from "./read-upload.ts";

interface Added {
  readonly name: string;
  /** Null while it is sent; empty once it is there. */
  readonly problem: string | null;
}

/** Adds files to a source, by choosing or dropping them: each is sent by itself and says what became of it. */
export function AddFiles({ sourceId, isCharged }: { sourceId: string; isCharged: boolean }) {
  const add = useMutation(knowledgeMutations.addFile(useApi()));
  const [added, setAdded] = useState<readonly Added[]>([]);
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isBusy = added.some((one) => one.problem === null);
  const send = async (files: readonly File[]) => {
    if (isBusy || files.length === 0) return;
    setAdded(files.map(({ name }) => ({ name, problem: null })));
    for (const [at, file] of files.entries()) {
      const problem = await sendOne(file);
      setAdded((now) => now.map((one, index) => (index === at ? { ...one, problem } : one)));
    }
  };
  const sendOne = async (file: File): Promise<string> => {
    if (file.size > mostBytes)
      return `${formatSize(file.size)} is more than one request takes, which is ${formatSize(mostBytes)}`;
    try {
      const reason = await add.mutateAsync({ sourceId, name: file.name, content: await readUpload(file) });
      return reason ?? "";
    } catch (error) {
      return describeError(error).what;
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void send([...event.dataTransfer.files]);
      }}
      className={cx(
        "mx-edge-left my-4 rounded-panel border border-line-strong border-dashed px-4 py-3",
        isOver && "bg-surface-selected",
      )}
    >
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={(event) => {
          void send([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" icon={<Upload />} loading={isBusy} onClick={() => field.current?.click()}>
          Add files…
        </Button>
        <span className="text-muted text-secondary">
          Text, Markdown, HTML or PDF, also dropped here.{" "}
          {isCharged ? "They are indexed at once and cost credits." : "They wait for the approval."}
        </span>
      </div>
      {added.length > 0 && (
        <ul aria-label="Added files" className="mt-2">
          {added.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and the order never changes
            <li key={at} className="flex min-h-6 items-center gap-2 text-secondary">
              <StateShape
                tone={one.problem === null ? "running" : one.problem === "" ? "done" : "failed"}
                label={one.problem === null ? "being sent" : one.problem === "" ? "sent" : "refused"}
              />
              <bdi className="truncate">{one.name}</bdi>
              {one.problem && <span className="text-state-failed-fg">{one.problem}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
