import { useQuery } from "@tanstack/react-query";
import File from "lucide-react/icons/file";
import FileX from "lucide-react/icons/file-x";
import Globe from "lucide-react/icons/globe";
import { type ReactNode, useRef, useState } from "react";
import { ConsoleError } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { formatSize } from "../../../lib/files.ts";
import { Button } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import type { Kind } from "../kind.ts";
import {
  type FileBytes,
  giveUp,
  LiesElsewhere,
  looksBinary,
  openFile,
  readFile,
  wholeSize,
} from "../read-file.ts";
import type { FileVersion } from "../versions/useVersions.ts";
import type { FileTrouble } from "../worker/file-client.ts";

/** What every way of looking at a file gets. */
export interface ViewProps {
  readonly version: FileVersion;
  /** As it is shown: without characters that cannot be seen. */
  readonly name: string;
  readonly kind: Exclude<Kind, "none">;
  /** Bytes; more are not read. */
  readonly most: number;
  /** The page of a PDF, or the number of a sheet, from 1: it stands in the address. */
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
  /** Offers the file itself, where it cannot be shown. */
  readonly download: ReactNode;
}

type WithBytesProps = Pick<ViewProps, "version" | "most" | "download"> & {
  /** How the address that comes with the bytes is used. */
  use?: "any" | "show";
  /** Bytes that can hardly be text are called damaged. */
  isText?: boolean;
  children: (file: FileBytes) => ReactNode;
};

/** Reads a file, says while it does and where it cannot, and shows what is made of the bytes. */
export function WithBytes({ version, most, download, use, isText = false, children }: WithBytesProps) {
  const { read, readSoFar } = useFileBytes(version, most, use);
  if (read.isError) return <FileFailure read={read} />;
  if (!read.data) return <Reading readSoFar={readSoFar} />;
  if (read.data.bytes.length === 0) return <Empty />;
  if (isText && looksBinary(read.data.bytes)) return <FileTroubled why="broken">{download}</FileTroubled>;
  return children(read.data);
}

type WithLinkProps = Pick<ViewProps, "version"> & {
  /** `renew` comes to an end when there is another link, or the same one was found to be good. */
  children: (url: string, renew: () => Promise<unknown>) => ReactNode;
};

/** The same for what the browser reads by itself from an address. */
export function WithLink({ version, children }: WithLinkProps) {
  const link = useWorkingLink(version);
  if (link.isError) return <FileFailure read={link} />;
  if (!link.data) return <Reading />;
  return link.data.size === 0 ? <Empty /> : children(link.data.url, link.refetch);
}

type RemarkProps = {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** Something went wrong, so it is read aloud. */
  isAlert?: boolean;
};

/** In the place of a preview: what there is, why it is not shown, and what can be done. */
export function Remark({ icon, title, children, actions, isAlert = false }: RemarkProps) {
  return (
    <section
      {...(isAlert && { role: "alert" })}
      className={cx(
        "flex min-h-0 flex-1 flex-col items-center justify-center gap-2 px-edge-left py-10 text-center",
        "[&>.lucide]:size-6 [&>.lucide]:text-muted",
      )}
    >
      {icon}
      <h3 className="max-w-text break-words font-semibold">{title}</h3>
      {children !== undefined && <div className="max-w-text text-muted">{children}</div>}
      {actions !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </section>
  );
}

/** A file of 0 bytes. */
export function Empty() {
  return (
    <Remark icon={<File />} title="This file is empty">
      0 bytes
    </Remark>
  );
}

/** While a file is read; of a big one, how much came so far. */
export function Reading({ readSoFar = 0 }: { readSoFar?: number }) {
  return (
    <div className="min-h-0 flex-1 overflow-hidden">
      {readSoFar > 0 && (
        <p className="px-edge-left py-2 text-muted text-secondary tabular-nums">
          {formatSize(readSoFar)} loaded so far
        </p>
      )}
      <SkeletonRows label="Loading the file" rows={10} columns={["32px", "2fr", "1fr", "1fr"]} />
    </div>
  );
}

type FailureProps = { read: { error: unknown; refetch: () => Promise<unknown>; isFetching: boolean } };

/** A file could not be read: its link ended, it is gone, or nothing answers. */
export function FileFailure({ read: { error, refetch, isFetching } }: FailureProps) {
  if (error instanceof LiesElsewhere) {
    return (
      <Remark icon={<Globe />} title={`This file is stored at ${error.host}`}>
        The console loads files only from its own service, so it is not shown here.
      </Remark>
    );
  }
  const status = error instanceof ConsoleError ? error.status : null;
  if (status === 401 || status === 403 || status === 410) {
    return (
      <Remark
        isAlert
        icon={<FileX />}
        title="The link to this file has expired"
        actions={
          <Button onClick={() => void refetch()} loading={isFetching}>
            Get a new link
          </Button>
        }
      >
        The file server responded with {status}.
      </Remark>
    );
  }
  return <Failure error={error} what="The file" onRetry={() => void refetch()} isRetrying={isFetching} />;
}

const troubles: Readonly<Record<FileTrouble, readonly [title: string, means: string]>> = {
  broken: ["This file can’t be read", "It is damaged, or not the type it claims to be."],
  protected: ["This file is password-protected", "Download it to open it elsewhere."],
  "too big": ["This file is too large to show", "Unpacked, it needs too much memory."],
  "no reader": [
    "The preview stopped working",
    "It took too long, needed too much memory, or could not be loaded. Open the file again to retry.",
  ],
};

/** The bytes are there, but they are not what they should be. */
export function FileTroubled({ why, children }: { why: FileTrouble; children?: ReactNode }) {
  const [title, means] = troubles[why];
  return (
    <Remark isAlert icon={<FileX />} title={title} actions={children}>
      {means}
    </Remark>
  );
}

/** Told often enough to be seen moving, in bytes. */
const told = 500_000;

/** All bytes of a version, up to a limit; read once, as a version never changes. */
export function useFileBytes(version: FileVersion, most: number, use: "any" | "show" = "any") {
  const api = useApi();
  const [readSoFar, setRead] = useState(0);
  const last = useRef(0);
  const read = useQuery({
    queryKey: [api.id, "artifact bytes", version.key, most, use],
    queryFn: ({ signal }) => {
      last.current = 0;
      return readFile(api, version, {
        signal,
        most,
        use,
        onProgress: (size) => {
          if (size - last.current < told) return;
          last.current = size;
          setRead(size);
        },
      });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return { read, readSoFar };
}

/** A link that works just now, and how big the file behind it is; asked with one byte, and renewed once where it ended. */
function useWorkingLink(version: FileVersion) {
  const api = useApi();
  return useQuery({
    queryKey: [api.id, "artifact link", version.key],
    queryFn: async ({ signal }) => {
      const { response, url } = await openFile(api, version, { signal, range: [0, 0] });
      giveUp(response);
      return { url, size: response.status === 416 ? 0 : wholeSize(response) };
    },
    // Each time that it is looked at: what was a good link may have ended since.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}

/** Bytes. Above `ask` a person decides whether it is read; above `most` it never is, only downloaded. */
interface Limits {
  readonly ask: number;
  readonly most: number;
}

const mega = 1_000_000;

const limits: Readonly<Record<Exclude<Kind, "none">, Limits>> = {
  image: { ask: 20 * mega, most: 200 * mega },
  svg: { ask: 5 * mega, most: 50 * mega },
  pdf: { ask: 25 * mega, most: 200 * mega },
  // Played as they come, in ranges: nothing is held.
  audio: { ask: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  video: { ask: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  html: { ask: 5 * mega, most: 20 * mega },
  markdown: { ask: 2 * mega, most: 50 * mega },
  json: { ask: 5 * mega, most: 100 * mega },
  csv: { ask: 10 * mega, most: 100 * mega },
  xlsx: { ask: 5 * mega, most: 50 * mega },
  code: { ask: 5 * mega, most: 100 * mega },
  text: { ask: 5 * mega, most: 100 * mega },
};

/** From how many bytes on a preview asks first, and how many it shows at most. */
export const limitsOf = (kind: Exclude<Kind, "none">): Limits => limits[kind];
