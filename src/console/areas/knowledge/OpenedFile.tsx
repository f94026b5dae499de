import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { type FileVersion, Preview } from "../artifacts/index.ts";

import type { FileIn } from "./Files.tsx";
import { knowledgeQueries } from "./queries.ts";

type Props = { sourceId: string; file: FileIn; page: number | undefined; onPage: (page: number) => void };

/** A file of a source, at the page that a passage was found on. Its link is asked for anew where it has ended. */
export default function OpenedFile({ sourceId, file, page, onPage }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { id, created_at, size, media_type, url } = file;
  const version = useMemo<FileVersion>(
    () => ({
      key: id,
      number: null,
      isNewest: true,
      at: created_at ?? null,
      size: size ?? null,
      mediaType: media_type ?? null,
      by: null,
      url: url ?? null,
      renew: async () => {
        const fresh = await queries.fetchQuery({ ...knowledgeQueries.one(api, sourceId), staleTime: 0 });
        return fresh.data.source?.files?.find((one) => one?.id === id)?.url ?? null;
      },
    }),
    [api, queries, sourceId, id, created_at, size, media_type, url],
  );
  return (
    <Preview
      version={version}
      filename={file.file_name ?? null}
      name={file.file_name ?? "file"}
      page={page}
      onPage={onPage}
    />
  );
}
