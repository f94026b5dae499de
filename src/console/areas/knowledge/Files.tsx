import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import Upload from "lucide-react/icons/upload";
import { useMemo, useRef, useState } from "react";
import type { Received } from "../../../contract/define.ts";
import type { BrainFile } from "../../../contract/knowledge.ts";
import type { Tone } from "../../../contract/states.ts";
import { describeError } from "../../api/describe-error.ts";
import { useApi } from "../../lib/api.tsx";
import { formatSize } from "../../lib/files.ts";
import { joinNames } from "../../lib/join-names.ts";
import { useGoneSignal } from "../../lib/useGoneSignal.ts";
import { counted, grouped } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { State, StateShape } from "../../ui/State.tsx";
import { Table } from "../../ui/Table.tsx";
import { type ToastMessage, useToast } from "../../ui/Toast.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { type FileVersion, Preview } from "../artifacts/index.ts";
import { knowledgeMutations, knowledgeQueries } from "./queries.ts";
import { readSourceSearch } from "./search.ts";
import { formatCredits } from "./sources.ts";

export type FileIn = Received<BrainFile> & { readonly id: string };

/** How far a file is; a status that we do not know is shown as it came. */
const tones: ReadonlyMap<string, readonly [Tone, string]> = new Map([
  ["estimating", ["running", "counting"]],
  ["pending", ["waiting", "waiting"]],
  ["indexing", ["running", "indexing"]],
  ["indexed", ["done", "searchable"]],
  ["failed", ["failed", "failed"]],
]);

/** The files of a source: how far each is, what it has, and why one could not be read. */
export function Files({ sourceId, files }: { sourceId: string; files: readonly FileIn[] }) {
  return (
    <Table
      label="Files"
      rows={files}
      idOf={({ id }) => id}
      columns={{
        file: {
          head: "File",
          title: ({ error }) => error,
          cell: (file) => <Named {...{ sourceId, file }} />,
        },
        pages: {
          head: "Pages",
          width: 72,
          kind: "mutedFigure",
          className: "@max-[600px]:hidden",
          cell: (file) => file.page_count ?? "–",
        },
        tokens: {
          head: "Tokens",
          width: 88,
          kind: "mutedFigure",
          className: "@max-[700px]:hidden",
          cell: (file) => (file.tokens == null ? "–" : grouped(file.tokens)),
        },
        credits: {
          head: "Credits",
          width: 80,
          kind: "mutedFigure",
          className: "@max-[480px]:hidden",
          cell: ({ credits }) => (typeof credits === "number" ? formatCredits(credits) : "–"),
        },
        state: {
          head: "State",
          width: 156,
          kind: "muted",
          cell: ({ status }) => {
            const [tone, word] = tones.get(status ?? "") ?? ["unknown", status ?? "unknown"];
            return <State tone={tone} word={word} />;
          },
        },
      }}
    />
  );
}

function Named({ sourceId, file }: { sourceId: string; file: FileIn }) {
  const { id, url, file_name, error, size } = file;
  return (
    <>
      {url ? (
        <Link
          to="/knowledge/$sourceId"
          params={{ sourceId }}
          search={{ file: id }}
          className="hit font-medium"
        >
          <bdi>{file_name}</bdi>
        </Link>
      ) : (
        <bdi className="font-medium">{file_name}</bdi>
      )}
      <span className="ml-2.5 text-muted text-secondary">
        {error || (typeof size === "number" && formatSize(size))}
      </span>
    </>
  );
}

type OpenedProps = { sourceId: string; file: FileIn; page: number | undefined };

/** A file of a source, at the page that a passage was found on. Its link is asked for anew where it has ended. */
export function OpenedFile({ sourceId, file, page }: OpenedProps) {
  const navigate = useNavigate();
  const api = useApi();
  const queries = useQueryClient();
  const { id, created_at, size, media_type, url } = file;
  const version = useMemo<FileVersion>(
    () => ({
      key: id,
      number: null,
      isNewest: true,
      at: created_at ?? null,
      size: size ?? null,
      mediaType: media_type ?? null,
      by: null,
      url: url ?? null,
      renew: async () => {
        const fresh = await queries.fetchQuery({ ...knowledgeQueries.one(api, sourceId), staleTime: 0 });
        return fresh.data.source?.files?.find((one) => one?.id === id)?.url ?? null;
      },
    }),
    [api, queries, sourceId, id, created_at, size, media_type, url],
  );
  return (
    <section aria-label="Open file" className="flex min-h-0 flex-1 flex-col border-t">
      <p className="flex items-center gap-3 border-b px-edge-left py-2 text-secondary">
        <Link to="/knowledge/$sourceId" params={{ sourceId }} className={linkClass}>
          All files
        </Link>
        <bdi className="truncate font-medium">{file.file_name}</bdi>
      </p>
      <Preview
        version={version}
        filename={file.file_name ?? null}
        name={file.file_name ?? "file"}
        page={page}
        onPage={(next) =>
          void navigate({
            to: "/knowledge/$sourceId",
            params: { sourceId },
            search: readSourceSearch({ file: id, page: next }),
            replace: true,
          })
        }
      />
    </section>
  );
}

interface Added {
  readonly name: string;
  /** Null while it is sent; empty once it is there. */
  readonly problem: string | null;
}

type AddFilesProps = {
  sourceId: string;
  /** The source's, for people. */
  name: string;
  isCharged: boolean;
};

/** Adds files to a source, by choosing or dropping them: each is sent by itself and says what became of it. */
export function AddFiles({ sourceId, name, isCharged }: AddFilesProps) {
  const toaster = useToast();
  const gone = useGoneSignal();
  const add = useMutation(knowledgeMutations.addFile(useApi()));
  const [added, setAdded] = useState<readonly Added[]>([]);
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isBusy = added.some((one) => one.problem === null);
  const last = useRef(Promise.resolve());
  const send = (files: readonly File[]) => {
    if (files.length === 0) return;
    // What comes while others are on their way is sent after them.
    const before = isBusy ? added : [];
    setAdded([...before, ...files.map((file) => ({ name: file.name, problem: null }))]);
    const left = gone();
    const refused: Refused[] = [];
    for (const [at, file] of files.entries()) {
      last.current = last.current.then(async () => {
        const problem = await sendOne(file);
        setAdded((now) =>
          now.map((one, index) => (index === before.length + at ? { ...one, problem } : one)),
        );
        if (problem !== "") refused.push({ name: file.name, problem });
      });
    }
    void last.current.then(() => {
      if (left.aborted && refused.length > 0) toaster.show(refusedToast(name, refused));
    });
  };
  const sendOne = async (file: File): Promise<string> => {
    if (file.size > mostBytes)
      return `${formatSize(file.size)} is over the limit of ${formatSize(mostBytes)}`;
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
        send([...event.dataTransfer.files]);
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
          send([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" icon={<Upload />} loading={isBusy} onClick={() => field.current?.click()}>
          Add files…
        </Button>
        <span className="text-muted text-secondary">
          Or drop text, Markdown, HTML or PDF files here.{" "}
          {isCharged ? "They are indexed immediately and cost credits." : "They are indexed after approval."}
        </span>
      </div>
      {added.length > 0 && (
        <ul aria-label="Added files" className="mt-2">
          {added.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and the order never changes
            <li key={at} className="flex min-h-6 items-center gap-2 text-secondary">
              <StateShape
                tone={one.problem === null ? "running" : one.problem === "" ? "done" : "failed"}
                label={one.problem === null ? "uploading" : one.problem === "" ? "uploaded" : "refused"}
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

type Refused = { readonly name: string; readonly problem: string };

/** What is said to whoever left the page before all files were sent. */
function refusedToast(source: string, refused: readonly Refused[]): ToastMessage {
  const names = joinNames(refused.map((one) => one.name));
  const problems = [...new Set(refused.map(({ problem }) => problem))];
  return {
    tone: "failed",
    title: `${counted(refused.length, "file was", "files were")} not added to ${source}`,
    detail: `${names}: ${problems.join(" ")}`,
    duration: 15_000,
  };
}

/** A body may have 10 MB, and base64 makes four bytes of three. */
const mostBytes = 7_000_000;

/** A file as base64, without the address around it. @throws where it cannot be read */
function readUpload(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read"));
    reader.onload = () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(",") + 1));
    };
    reader.readAsDataURL(file);
  });
}
