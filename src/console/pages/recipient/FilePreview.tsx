import { useState } from "react";
import type { Caller } from "../../api/api.ts";
import { safeUrl } from "../../components/markdown/links.ts";
import type { OpenedFile } from "./shared-link.ts";
import { shownFilename } from "./shownFilename.ts";

type Props = { caller: Caller; file: OpenedFile; onRenew: () => Promise<OpenedFile | null> };

const pictures = /^image\/(png|jpe?g|gif|webp|avif|bmp|svg\+xml)$/;

/** How the file looks, where it can be shown without running anything of it. */
export default function FilePreview({ caller, file }: Props) {
  const [isBroken, setBroken] = useState(false);
  const url = safeUrl(file.preview_url);
  const isHere = url?.href.startsWith(`${caller.base}/`) === true;
  if (url !== null && isHere && !isBroken && pictures.test(file.media_type ?? "")) {
    return (
      <img
        src={url.href}
        alt={shownFilename(file.filename)}
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
        className="m-auto max-h-full max-w-full p-5"
      />
    );
  }
  return <p className="p-5 text-muted">Files of this kind are not shown here. Download it to open it.</p>;
}
