import Download from "lucide-react/icons/download";
import File from "lucide-react/icons/file";
import FileQuestionMark from "lucide-react/icons/file-question-mark";
import Globe from "lucide-react/icons/globe";
import { useRef, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { formatSize } from "../../../lib/files.ts";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { placeOf } from "../../../lib/markdown/links.ts";
import { useFocusKept } from "../../../lib/page/useFocusKept.ts";
import { Button } from "../../../ui/Button.tsx";
import { later } from "../../../ui/later.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { sizeWords } from "../artifact-row.ts";
import { kindOf } from "../kind.ts";
import { useDownload } from "../links.ts";
import { looksBinary } from "../read-file.ts";
import type { FileVersion } from "../versions/useVersions.ts";
import { ImageView, MediaView, PageView } from "./MediaViews.tsx";
import { TableView } from "./TableView.tsx";
import { JsonFileView, LinesView, MarkdownView } from "./TextViews.tsx";
import { Empty, limitsOf, Reading, Remark, type ViewProps, WithBytes } from "./view.tsx";

type Props = {
  version: FileVersion;
  /** As the service sent it. */
  filename: string | null;
  name: string;
  page: number | undefined;
  onPage: (page: number) => void;
  /** Text as it was written, whatever else it could be shown as. */
  isRaw?: boolean;
};

/**
 * One version of a file, looked at. Nothing in it runs here, asks another place for anything or moves the page: pictures
 * are pictures, pages are framed without any right, everything else is read as data (C-10).
 */
export function Preview({ version, filename, name, isRaw = false, ...paging }: Props) {
  const api = useApi();
  const { isWanted, ask, place } = useAsked();
  const address = placeOf(api, version.url);
  const found = kindOf(filename, version.mediaType);
  const kind = isRaw ? "text" : found;
  const download = <DownloadButton version={version} name={name} />;
  if (version.size === 0) return <Empty />;
  if (address.kind === "elsewhere") {
    return (
      <Remark icon={<Globe />} title={`This file is stored at ${address.host}`} actions={download}>
        The console loads files only from its own service, so it is not shown here. Downloading opens{" "}
        <span className="break-all">{address.host}</span>.
      </Remark>
    );
  }
  if (version.url === null && version.isNewest) {
    return (
      <Remark icon={<File />} title="This file has no address" actions={download}>
        The service listed it without an address.
      </Remark>
    );
  }
  if (address.kind === "nowhere" && version.url !== null) {
    return (
      <Remark icon={<File />} title="This file’s address can’t be opened">
        Only http and https addresses work. <code className="break-all">{version.url?.slice(0, 200)}</code>
      </Remark>
    );
  }
  if (kind === "none") {
    const isUnknown = version.mediaType === null;
    return (
      <Remark
        icon={isUnknown ? <FileQuestionMark /> : <File />}
        title={isUnknown ? "Unknown file type" : "No preview for this file type"}
        actions={
          <>
            {download}
            <LookAnyway {...{ version, name, download, paging }} />
          </>
        }
      >
        {version.mediaType ?? "unknown type"}, {sizeWords(version.size)}
      </Remark>
    );
  }
  const { ask: unasked, most } = limitsOf(kind);
  if (version.size !== null && version.size > unasked && !isWanted) {
    const isTooBig = version.size > most;
    return (
      <Remark
        icon={<File />}
        title={`${formatSize(version.size)}: ${isTooBig ? "too large to show here" : "not loaded automatically"}`}
        actions={
          <>
            {!isTooBig && <Button onClick={ask}>Show anyway</Button>}
            {download}
          </>
        }
      >
        {isTooBig
          ? "It would not fit in the browser’s memory."
          : "Loading it may take a while and use a lot of memory."}
      </Remark>
    );
  }
  // Words may be called a picture too; a browser only says that they are none.
  const instead =
    kind === "image" ? (
      <>
        {download}
        <LookAnyway {...{ version, name, download, paging }} />
      </>
    ) : (
      download
    );
  const named = kindOf(filename, null);
  // What a browser shows by itself, of a type that says no more than "text", which may be true or not.
  if (!isRaw && kind === "text" && (named === "image" || named === "audio" || named === "video"))
    return <ByName {...{ version, name, kind, most, named }} download={instead} {...paging} />;
  const view = <View {...{ version, name, kind, most }} download={instead} {...paging} />;
  if (!isWanted) return view;
  return (
    <section {...place} className="focus-inset flex min-h-0 flex-1 flex-col">
      {view}
    </section>
  );
}

/** Whether a file was asked for by a button, and the place that the focus goes to then: the button is gone. */
function useAsked() {
  const [isWanted, setWanted] = useState(false);
  const ref = useRef<HTMLElement>(null);
  useFocusKept(isWanted ? "shown" : "asked", ref);
  return { isWanted, ask: () => setWanted(true), place: { ref, tabIndex: -1, "aria-label": "The file" } };
}

/** So much of a file tells whether it holds words, in bytes. */
const told = 4_096;

/** A picture, sound or film by its name and a text by its type: shown as its name says where it holds no words. */
function ByName({ named, ...props }: ViewProps & { named: ViewProps["kind"] }) {
  return (
    <WithBytes {...props} most={told}>
      {({ bytes }) => <View {...props} kind={looksBinary(bytes) ? named : "text"} />}
    </WithBytes>
  );
}

/** A file of unknown type may still be text: a person may look. */
function LookAnyway({
  version,
  name,
  download,
  paging,
}: Pick<ViewProps, "version" | "name" | "download"> & { paging: Pick<ViewProps, "page" | "onPage"> }) {
  const { isWanted, ask, place } = useAsked();
  const { most } = limitsOf("text");
  if (version.size !== null && version.size > most) return null;
  if (!isWanted) return <Button onClick={ask}>Show as text</Button>;
  return (
    <section
      {...place}
      className="focus-inset mt-3 flex h-[50dvh] w-[min(960px,80vw)] flex-col border text-left"
    >
      <View {...{ version, name, download, most }} kind="text" {...paging} />
    </section>
  );
}

/** Asks for a fresh address of the version and hands it to the browser. `name`: of the file that is saved. */
export function DownloadButton({ version, name }: { version: FileVersion; name: string }) {
  const download = useDownload();
  return (
    <Button
      icon={<Download />}
      loading={download.isPending}
      onClick={() => download.mutate({ name, renew: version.renew })}
    >
      Download
    </Button>
  );
}

// Each brings a big library.
const PdfView = later(() => import("./PdfView.tsx"));

/** All ways of looking at a file. The views know nothing of it. */
const views = {
  image: ImageView,
  svg: ImageView,
  pdf: ByContent,
  audio: MediaView,
  video: MediaView,
  html: PageView,
  markdown: MarkdownView,
  json: JsonFileView,
  csv: TableView,
  xlsx: ByContent,
  code: LinesView,
  text: LinesView,
} satisfies Record<ViewProps["kind"], unknown>;

/** A version of a file in the view of its kind. */
function View(props: ViewProps) {
  const Shown = views[props.kind];
  return (
    <LazyPart fallback={<Reading />}>
      <Shown key={`${props.kind} ${props.version.key}`} {...props} />
    </LazyPart>
  );
}

/** How files of these kinds begin; a PDF may have something before it (ISO 32000-1, annex H.3.4.1). */
const contents = {
  pdf: { called: "a PDF", mark: "%PDF-", within: 1_024, Shown: PdfView },
  xlsx: { called: "a workbook", mark: "PK", within: 2, Shown: TableView },
} as const;

/**
 * A file that its name or its type calls a PDF or a workbook. What it is called promises nothing: agents write words into
 * a `report.pdf`, and those are shown as they were written, instead of an error of what could not read them.
 */
function ByContent(props: ViewProps) {
  const { called, mark, within, Shown } = contents[props.kind === "xlsx" ? "xlsx" : "pdf"];
  return (
    <WithBytes {...props}>
      {({ bytes }) => {
        const head = new TextDecoder("latin1").decode(bytes.subarray(0, within));
        if (head.includes(mark) || !holdsWords(bytes)) return <Shown {...props} />;
        return (
          <>
            <Notice kind="offline" icon={null}>
              It is named {called} but contains text, shown as is.
            </Notice>
            <LinesView {...props} kind="text" />
          </>
        );
      }}
    </WithBytes>
  );
}

function holdsWords(bytes: Uint8Array): boolean {
  if (looksBinary(bytes)) return false;
  try {
    // The last character may be cut in two.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, 4_096), { stream: true });
    return true;
  } catch {
    return false;
  }
}
