import Download from "lucide-react/icons/download";
import File from "lucide-react/icons/file";
import FileQuestionMark from "lucide-react/icons/file-question-mark";
import Globe from "lucide-react/icons/globe";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { formatSize } from "../../../lib/files.ts";
import { placeOf } from "../../../lib/markdown/links.ts";
import { Button } from "../../../ui/Button.tsx";
import { sizeWords } from "../artifact-row.ts";
import { kindOf } from "../kind.ts";
import { useDownload } from "../links.ts";
import type { FileVersion } from "../versions/useVersions.ts";
import { Empty, limitsOf, Remark, type ViewProps } from "./view.tsx";
import { View } from "./views.tsx";

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
  const [isWanted, setWanted] = useState(false);
  const place = placeOf(api, version.url);
  const found = kindOf(filename, version.mediaType);
  const kind = isRaw ? "text" : found;
  const download = <DownloadButton version={version} name={name} />;
  if (version.size === 0) return <Empty />;
  if (place.kind === "elsewhere") {
    return (
      <Remark icon={<Globe />} title={`This file is stored at ${place.host}`} actions={download}>
        The console loads files only from its own service, so it is not shown here. Downloading opens{" "}
        <span className="break-all">{place.host}</span>.
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
  if (place.kind === "nowhere" && version.url !== null) {
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
  const { ask, most } = limitsOf(kind);
  if (version.size !== null && version.size > ask && !isWanted) {
    const isTooBig = version.size > most;
    return (
      <Remark
        icon={<File />}
        title={`${formatSize(version.size)}: ${isTooBig ? "too large to show here" : "not loaded automatically"}`}
        actions={
          <>
            {!isTooBig && <Button onClick={() => setWanted(true)}>Show anyway</Button>}
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
  return <View {...{ version, name, kind, most }} download={instead} {...paging} />;
}

/** A file of unknown type may still be text: a person may look. */
function LookAnyway({
  version,
  name,
  download,
  paging,
}: Pick<ViewProps, "version" | "name" | "download"> & { paging: Pick<ViewProps, "page" | "onPage"> }) {
  const [isWanted, setWanted] = useState(false);
  const { most } = limitsOf("text");
  if (version.size !== null && version.size > most) return null;
  if (!isWanted) return <Button onClick={() => setWanted(true)}>Show as text</Button>;
  return (
    <div className="mt-3 flex h-[50dvh] w-[min(960px,80vw)] flex-col border text-left">
      <View {...{ version, name, download, most }} kind="text" {...paging} />
    </div>
  );
}

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
