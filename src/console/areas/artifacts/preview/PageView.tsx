import Globe from "lucide-react/icons/globe";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import { asksForConnections } from "./asks-for-connections.ts";
import { FileFailure } from "./FileFailure.tsx";
import { Lines } from "./Lines.tsx";
import type { ViewProps } from "./Preview.tsx";
import { Empty, Reading } from "./parts.tsx";
import { Remark } from "./Remark.tsx";
import { useFileBytes } from "./useFileBytes.ts";

/**
 * A page in a frame without any right: no script, no forms, no origin, no way out; its bytes come with a policy of their
 * own that lets it load nothing.
 */
export default function PageView({ version, name, most, download }: ViewProps) {
  const { read, readSoFar } = useFileBytes(version, most, "show");
  const [showsText, setShowsText] = useState(false);
  if (read.isError) {
    return (
      <FileFailure error={read.error} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />
    );
  }
  if (!read.data) return <Reading readSoFar={readSoFar} />;
  const { bytes, url, isWhole, isSaved } = read.data;
  if (bytes.length === 0) return <Empty />;
  if (showsText || isSaved) return <Lines bytes={bytes} label={name} isCode isCut={!isWhole} />;
  if (!isWhole || asksForConnections(bytes)) {
    return (
      <Remark
        icon={<Globe />}
        title={isWhole ? "This page wants to connect to other places" : "This page is too big to be shown"}
        actions={
          <>
            <Button onClick={() => setShowsText(true)}>Show its text</Button>
            {download}
          </>
        }
      >
        {isWhole &&
          "It asks the browser to open connections before anybody clicks, which no policy can forbid. So it is not shown as a page."}
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
      <ListFoot keys="Without scripts, forms and anything from other places">A page, framed</ListFoot>
    </>
  );
}
