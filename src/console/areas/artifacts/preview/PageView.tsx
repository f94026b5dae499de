import Globe from "lucide-react/icons/globe";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import { type FileBytes, textOf } from "../read-file.ts";
import { Lines } from "./TextViews.tsx";
import { Remark, type ViewProps, WithBytes } from "./view.tsx";

/**
 * A page in a frame without any right: no script, no forms, no origin, no way out; its bytes come with a policy of their
 * own that lets it load nothing.
 */
export function PageView(props: ViewProps) {
  return (
    <WithBytes {...props} use="show">
      {(file) => <Framed {...props} file={file} />}
    </WithBytes>
  );
}

function Framed({ name, download, file }: ViewProps & { file: FileBytes }) {
  const { bytes, url, isWhole, isSaved } = file;
  const [showsText, setShowsText] = useState(false);
  if (showsText || isSaved) return <Lines bytes={bytes} label={name} isCode isCut={!isWhole} />;
  if (!isWhole || asksForConnections(bytes)) {
    return (
      <Remark
        icon={<Globe />}
        title={isWhole ? "This page connects to other sites" : "This page is too large to show"}
        actions={
          <>
            <Button onClick={() => setShowsText(true)}>Show as text</Button>
            {download}
          </>
        }
      >
        {isWhole &&
          "It opens connections before anyone clicks, and a browser can’t block that. It is not shown as a page."}
      </Remark>
    );
  }
  return (
    <>
      <iframe
        src={url}
        title={`The page ${name}`}
        sandbox=""
        referrerPolicy="no-referrer"
        // A page that names no colour of its own is meant for a white sheet.
        className="min-h-0 w-full flex-1 border-0 bg-[Canvas] [color-scheme:light]"
      />
      <ListFoot keys="Scripts, forms and external content are off">Page preview</ListFoot>
    </>
  );
}

/**
 * Whether a page could ask the browser to look up or connect to other hosts by its mere markup (`rel=preconnect`,
 * `rel=dns-prefetch`): the one thing that neither its sandbox nor its policy forbids (C-06). Looks for the words anywhere,
 * also written in character references, so that it errs on the safe side.
 */
export function asksForConnections(bytes: Uint8Array): boolean {
  const text = textOf(bytes)
    .replaceAll(/&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : whole;
    })
    .toLowerCase();
  return /preconnect|dns-prefetch/.test(text);
}
