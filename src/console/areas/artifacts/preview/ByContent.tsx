import { LazyPart } from "../../../lib/LazyPart.tsx";
import { later } from "../../../ui/later.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { looksBinary } from "../read-file.ts";
import LinesView from "./LinesView.tsx";
import type { ViewProps } from "./Preview.tsx";
import { Reading } from "./parts.tsx";
import { useFileBytes } from "./useFileBytes.ts";

const views = {
  pdf: later(() => import("./PdfView.tsx")),
  xlsx: later(() => import("./TableView.tsx")),
};

/** How files of these kinds begin; a PDF may have something before it (ISO 32000-1, annex H.3.4.1). */
const begins = { pdf: { mark: "%PDF-", within: 1_024 }, xlsx: { mark: "PK", within: 2 } } as const;
const words = { pdf: "a PDF", xlsx: "a workbook" } as const;

/**
 * A file that its name or its type calls a PDF or a workbook. What it is called promises nothing: agents write words into
 * a `report.pdf`, and those are shown as they were written, instead of an error of what could not read them.
 */
export default function ByContent(props: ViewProps) {
  const kind = props.kind === "xlsx" ? "xlsx" : "pdf";
  const { read, readSoFar } = useFileBytes(props.version, props.most);
  if (read.isPending) return <Reading readSoFar={readSoFar} />;
  if (read.data === undefined || !holdsWords(read.data.bytes, kind)) {
    const Shown = views[kind];
    return (
      <LazyPart fallback={<Reading />}>
        <Shown {...props} />
      </LazyPart>
    );
  }
  return (
    <>
      <Notice kind="offline" icon={null}>
        It is called {words[kind]} and holds text, which is shown as it was written.
      </Notice>
      <LinesView {...props} kind="text" />
    </>
  );
}

function holdsWords(bytes: Uint8Array, kind: keyof typeof begins): boolean {
  const { mark, within } = begins[kind];
  const head = bytes.subarray(0, within);
  if (bytes.length === 0 || looksBinary(bytes) || new TextDecoder("latin1").decode(head).includes(mark))
    return false;
  try {
    // The last character may be cut in two.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, 4_096), { stream: true });
    return true;
  } catch {
    return false;
  }
}
