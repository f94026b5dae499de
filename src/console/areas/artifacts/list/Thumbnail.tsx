import { useQuery } from "@tanstack/react-query";
import FileArchive from "lucide-react/icons/file-archive";
import FileQuestionMark from "lucide-react/icons/file-question-mark";
import FileText from "lucide-react/icons/file-text";
import Film from "lucide-react/icons/film";
import Music from "lucide-react/icons/music";
import { type ReactNode, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { type FilePlace, placeOf } from "../../../lib/markdown/links.ts";
import { useSeen } from "../../../lib/useSeen.ts";
import { kindOfRow, sizeOf, typeOf } from "../artifact-row.ts";
import type { Kind } from "../kind.ts";
import { renewOf } from "../links.ts";
import { type ArtifactIn, versionOf } from "../queries.ts";
import { giveUp, looksBinary, openFile } from "../read-file.ts";
import { decode } from "../worker/tables.ts";
import { thumbnailTextOf } from "./thumbnail-text.ts";

/** So much of a text is read for its thumbnail, in bytes. */
const headSize = 3_000;
/** Pictures above this are not read for a thumbnail. */
const mostOfPicture = 2_000_000;

/**
 * The beginning of the thing itself, small and cropped at the foot. It is read when it comes into view, and only from
 * this connection; of a big file, or one that cannot be shown, there are words instead.
 */
export function Thumbnail({ row }: { row: ArtifactIn }) {
  const [box, isSeen] = useSeen(200);
  const kind = kindOfRow(row);
  const place = placeOf(useApi(), row.url).kind;
  return (
    <div ref={box} className="h-full" aria-hidden="true">
      {place !== "here" || !isSeen ? (
        <Words row={row} place={place} />
      ) : sizeOf(row) === 0 ? (
        <Words row={row} isEmpty />
      ) : kind === "image" || kind === "svg" ? (
        <Picture key={versionOf(row)} row={row} />
      ) : isTextual(kind) ? (
        <ThumbnailText key={versionOf(row)} row={row} kind={kind} />
      ) : (
        <Words row={row} />
      )}
    </div>
  );
}

const isTextual = (kind: Kind): boolean => ["markdown", "json", "csv", "code", "text", "html"].includes(kind);

function Picture({ row }: { row: ArtifactIn }) {
  const api = useApi();
  const [isBroken, setBroken] = useState(false);
  const size = sizeOf(row);
  const isSmall = size !== null && size > 0 && size <= mostOfPicture;
  const link = useQuery({
    queryKey: [api.id, "thumbnail link", row.id, versionOf(row)],
    // A link that works now; asked again, it would be another one, and the picture would be read again.
    queryFn: async ({ signal }) => {
      const { response, url } = await openFile(
        api,
        { url: row.url ?? null, renew: renewOf(api, row) },
        { signal, range: [0, 0] },
      );
      giveUp(response);
      return url;
    },
    enabled: isSmall,
    staleTime: 600_000,
    retry: false,
  });
  if (!isSmall || isBroken || link.isError) return <Words row={row} />;
  if (!link.data) return null;
  return (
    <img
      src={link.data}
      alt=""
      decoding="async"
      referrerPolicy="no-referrer"
      draggable={false}
      onError={() => setBroken(true)}
      className="size-full bg-surface-raised object-contain"
    />
  );
}

function ThumbnailText({ row, kind }: { row: ArtifactIn; kind: Kind }) {
  const api = useApi();
  const head = useQuery({
    queryKey: [api.id, "thumbnail", row.id, versionOf(row)],
    queryFn: async ({ signal }) => {
      const source = { url: row.url ?? null, renew: renewOf(api, row) };
      const { response } = await openFile(api, source, { signal, range: [0, headSize - 1] });
      const bytes = new Uint8Array(await response.arrayBuffer()).slice(0, headSize);
      return looksBinary(bytes) ? null : decode(bytes);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 600_000,
    retry: false,
  });
  if (head.data === undefined && !head.isError) return null;
  const beginning = head.data ? thumbnailTextOf(head.data, kind) : null;
  if (beginning === null) return <Words row={row} isEmpty={head.data === ""} />;
  return (
    <div className="mx-4 mt-3.5 h-full overflow-hidden rounded-t-mark border bg-surface-raised px-3 pt-2.5 text-[9px] text-muted leading-[13px] sm:mx-[18px]">
      {beginning.kind === "table" ? (
        <table className="-mx-3 -mt-2.5 w-[calc(100%+24px)] table-fixed border-collapse">
          <tbody>
            {beginning.rows.map((cells, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity than its place
              <tr key={at} className={at === 0 ? "bg-surface-sunken" : undefined}>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other identity than its place
                  <td key={column} className="truncate border-b px-1.5 py-[2px] not-last:border-r">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        beginning.lines.map((line, at) => (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its place
            key={at}
            dir="auto"
            className={
              line.isTitle
                ? "mb-1 truncate font-semibold text-[10px] text-default"
                : beginning.isCode
                  ? "truncate whitespace-pre font-mono text-[8.5px]"
                  : "mb-0.5 break-words"
            }
          >
            {line.text}
          </p>
        ))
      )}
    </div>
  );
}

type WordsProps = { row: ArtifactIn; place?: FilePlace["kind"]; isEmpty?: boolean };

function Words({ row, place = "here", isEmpty = false }: WordsProps) {
  const [icon, words] = isEmpty ? [<FileText key="i" />, "Empty"] : wordsOf(row, place);
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2.5 px-3 text-center text-muted text-secondary [&_.lucide]:size-5">
      {icon}
      {words}
    </div>
  );
}

function wordsOf(row: ArtifactIn, place: FilePlace["kind"]): readonly [ReactNode, string] {
  const type = typeOf(row);
  const page = <FileText key="i" />;
  if (place === "nowhere") return [page, row.url ? "Invalid address" : "No address"];
  if (place === "elsewhere") return [page, "Stored elsewhere"];
  if (type === "archive") return [<FileArchive key="i" />, "Archive"];
  if (type === "unknown") return [<FileQuestionMark key="i" />, "Unknown type: open to view"];
  if (type === "sound") return [<Music key="i" />, "Audio: open to play"];
  if (type === "film") return [<Film key="i" />, "Video: open to play"];
  return [page, `${type[0]?.toUpperCase()}${type.slice(1)}: open to view`];
}
