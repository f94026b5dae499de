import { LazyPart } from "../../../lib/LazyPart.tsx";
import { later } from "../../../ui/later.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { looksBinary } from "../read-file.ts";
import { ImageView, MediaView } from "./MediaViews.tsx";
import { PageView } from "./PageView.tsx";
import { TableView } from "./TableView.tsx";
import { JsonFileView, LinesView, MarkdownView } from "./TextViews.tsx";
import { Reading, type ViewProps, WithBytes } from "./view.tsx";

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
export function View(props: ViewProps) {
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
