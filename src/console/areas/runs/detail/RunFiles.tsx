import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { RunFile } from "../../../../contract/run.ts";
import { useApi } from "../../../lib/api.tsx";
import { failedToast } from "../../../lib/failure/Failure.tsx";
import { formatSize, saveBlob } from "../../../lib/files.ts";
import { shownName } from "../../../lib/shownName.ts";
import { grouped } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, Textarea } from "../../../ui/Field.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { downloadRunFiles } from "../mutations.ts";
import type { RunFields } from "../worker/run-body.ts";
import { useMissingOfRun } from "./useMayRunAgain.ts";

/** The files of a run to download as one zip (§4.6): those that the service lists, else those that are named here. */
export function RunFiles({ runId, run }: { runId: string; run: RunFields | null }) {
  const api = useApi();
  const toaster = useToast();
  const download = useMutation({
    mutationFn: async (names: readonly string[]) =>
      saveBlob(await downloadRunFiles(api, runId, names), `${runId}.zip`),
    onError: (error) => toaster.show(failedToast("The files could not be downloaded", error)),
  });
  const missing = useMissingOfRun(runId);
  const doing = { isLoading: download.isPending, onDownload: download.mutate, missing };
  // A service that lists them says so also where there are none.
  return run === null || run.files != null ? (
    <Files files={run?.files ?? []} {...doing} />
  ) : (
    <FilesByName outputs={run.outputs} {...doing} />
  );
}

type FilesProps = {
  files: readonly Received<RunFile>[];
  isLoading: boolean;
  /** The role that the person lacks to download them. */
  missing: string | undefined;
  onDownload: (names: readonly string[]) => void;
};

function Files({ files, isLoading, missing, onDownload }: FilesProps) {
  const named = files.flatMap((file) => (file.name ? [{ ...file, name: file.name }] : []));
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {named.map((file) => (
          <li key={file.name} className="flex items-baseline justify-between gap-3">
            {missing !== undefined ? (
              <bdi className="min-w-0 truncate">{shownName(file.name)}</bdi>
            ) : (
              <Tooltip content="Download as a zip">
                <button
                  type="button"
                  onClick={() => onDownload([file.name])}
                  className="min-w-0 truncate text-left hover:underline"
                >
                  <bdi>{shownName(file.name)}</bdi>
                </button>
              </Tooltip>
            )}
            <span className="whitespace-nowrap text-muted text-secondary tabular-nums">
              {typeof file.size === "number" ? formatSize(file.size) : "unknown size"}
            </span>
          </li>
        ))}
      </ul>
      {named.length > 0 && missing !== undefined && (
        <p className="mt-2.5 text-muted text-secondary">Download: {missing}.</p>
      )}
      {named.length > 0 && missing === undefined && (
        <Button
          size="small"
          className="mt-2.5"
          loading={isLoading}
          onClick={() => onDownload(named.map((file) => file.name))}
        >
          {named.length === 1 ? "Download as a zip" : `Download all ${named.length} as a zip`}
        </Button>
      )}
    </>
  );
}

type ByNameProps = Omit<FilesProps, "files"> & {
  outputs: Readonly<Record<string, unknown>> | null | undefined;
};

/** The interface takes so many names in one call. */
const most = 1_000;

/**
 * Downloads files of a run by names that are typed, for a service that does not list them (§4.6). Outputs that read like
 * the name of a file are filled in.
 */
function FilesByName({ outputs, isLoading, missing, onDownload }: ByNameProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? namesIn(outputs).join("\n");
  const names = [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
  const why =
    missing ??
    (names.length === 0
      ? "Enter a file name first"
      : names.length > most
        ? `${grouped(most)} names at most`
        : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (why === undefined) onDownload(names);
  };
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-2.5">
      <Field
        label="File names"
        hint="One per line. This service does not list a run’s files."
        className="w-full"
      >
        <Textarea
          rows={Math.min(8, Math.max(2, names.length))}
          className="font-mono"
          spellCheck={false}
          placeholder="report.md"
          value={text}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="submit" size="small" loading={isLoading} disabledReason={why}>
        {names.length > 1 ? `Download ${names.length} as a zip` : "Download as a zip"}
      </Button>
    </form>
  );
}

/** Outputs that are the plain name of a file: "report.md". */
function namesIn(outputs: ByNameProps["outputs"]): readonly string[] {
  return Object.values(outputs ?? {}).flatMap((value) =>
    typeof value === "string" && /^[^\s/\\:*?"<>|][^/\\:*?"<>|\n\r\t]{0,120}\.[A-Za-z0-9]{1,8}$/.test(value)
      ? [value]
      : [],
  );
}
