import FileX from "lucide-react/icons/file-x";
import { useRef, useState } from "react";
import { FileFailure } from "./FileFailure.tsx";
import type { ViewProps } from "./Preview.tsx";
import { Empty, Reading } from "./parts.tsx";
import { Remark } from "./Remark.tsx";
import { useWorkingLink } from "./useFileBytes.ts";

/** Sound and film, played as they come. A link that ends while it plays is renewed once, and it goes on from there. */
export default function MediaView({ version, name, kind, download }: ViewProps) {
  const link = useWorkingLink(version);
  const [isBroken, setBroken] = useState(false);
  const at = useRef(0);
  const hasPlayed = useRef(false);
  if (link.isError) {
    return (
      <FileFailure error={link.error} onRetry={() => void link.refetch()} isRetrying={link.isFetching} />
    );
  }
  if (!link.data) return <Reading />;
  if (link.data.size === 0) return <Empty />;
  if (isBroken) {
    return (
      <Remark isAlert icon={<FileX />} title="This cannot be played" actions={download}>
        It is damaged, or in a form that this browser does not know.
      </Remark>
    );
  }
  const props = {
    src: link.data.url,
    controls: true,
    preload: "metadata",
    "aria-label": name,
    onTimeUpdate: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      at.current = currentTarget.currentTime;
      hasPlayed.current = true;
    },
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      if (at.current > 0) currentTarget.currentTime = at.current;
    },
    onError: () => {
      // What played before and stops now has lost its link; what never played is broken.
      if (!hasPlayed.current) return setBroken(true);
      hasPlayed.current = false;
      void link.refetch();
    },
  } as const;
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center bg-surface-sunken p-5">
      {kind === "audio" ? (
        <audio {...props} className="w-full max-w-[560px]" />
      ) : (
        <video {...props} className="max-h-full max-w-full" />
      )}
    </div>
  );
}
