import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Api } from "../../../lib/api.tsx";
import { useApi, useCan } from "../../../lib/api.tsx";
import { interactionQueries } from "../../conversations/index.ts";
import type { PersonIn } from "../../directory/index.ts";
import { type ArtifactFile, mediaTypeOf, sizeOf } from "../artifact-row.ts";
import { type Renew, renewOf } from "../links.ts";
import { type ArtifactIn, versionOf } from "../queries.ts";
import { linkOf } from "../queries-of-one.ts";

/** One version of a file, wherever it is known from. */
export interface FileVersion {
  /** Unique among the versions of a file. */
  readonly key: string;
  /** From 1; null where the service does not count. */
  readonly number: number | null;
  readonly isNewest: boolean;
  /** ISO 8601. */
  readonly at: string | null;
  /** Bytes. */
  readonly size: number | null;
  readonly mediaType: string | null;
  readonly by: PersonIn | null;
  /** The link that came with it, which may have ended; null where one has to be asked for. */
  readonly url: string | null;
  readonly renew: Renew;
}

/**
 * All versions of a file that can be had, newest first: those that a list tells of (ours in `metadata.versions`, another
 * service as rows), else those that its conversation tells of.
 */
export function useVersions(file: ArtifactFile, enabled = true) {
  const api = useApi();
  const queries = useQueryClient();
  const canLive = useCan("live_messages");
  const canLink = useCan("artifact_download");
  const listed = useMemo(() => listedVersions(api, queries, file, canLink), [api, queries, file, canLink]);
  const { session_id, filename } = file.newest;
  const needsMore = enabled && listed.length < file.count && Boolean(session_id && filename);
  const once = { refetchInterval: false as const, refetchOnWindowFocus: false, staleTime: 60_000 };
  const live = useQuery({
    ...interactionQueries.session(api, session_id ?? ""),
    ...once,
    enabled: needsMore && canLive,
  });
  const core = useQuery({
    ...interactionQueries.status(api, session_id ?? ""),
    ...once,
    enabled: needsMore && !canLive,
  });
  const messages = canLive ? live.data?.data.session?.messages : core.data?.data.messages;
  const versions = useMemo(() => {
    const told = needsMore && messages ? toldVersions(api, queries, file, messages) : [];
    const isNew = ({ number }: FileVersion) => !listed.some((one) => one.number === number);
    return [...listed, ...told.filter(isNew)].sort((a, b) => (b.number ?? 0) - (a.number ?? 0));
  }, [api, queries, file, listed, needsMore, messages]);
  const read = canLive ? live : core;
  return {
    versions,
    isReading: needsMore && read.isPending && !read.isError,
    /** How many there are beyond those; nobody lists them. */
    missing: Math.max(0, file.count - versions.length),
  };
}

/** Versions as a list tells of them. */
function listedVersions(
  api: Api,
  queries: QueryClient,
  file: ArtifactFile,
  canLink: boolean,
): readonly FileVersion[] {
  const rows = file.versions.map((row, at) => versionOfRow(api, row, at === 0));
  const { newest } = file;
  const earlier = (canLink ? (newest.metadata?.versions ?? []) : []).flatMap((one): FileVersion[] => {
    const { version_id, major_version: number, created_at, size } = one ?? {};
    if (!version_id || number == null || rows.some((row) => row.number === number)) return [];
    return [
      {
        key: `version ${newest.id} ${version_id}`,
        number,
        isNewest: false,
        at: created_at ?? null,
        size: size ?? null,
        // The name is the same for all of them, and mostly so is the type.
        mediaType: mediaTypeOf(newest),
        by: newest.creator ?? null,
        url: null,
        renew: async (use, signal) => {
          // Only the conversation has links of earlier versions that show instead of save.
          const shown = use === "show" ? await toldLink(api, queries, file, number) : null;
          return shown ?? (await linkOf(api, newest.id, version_id, signal))?.url ?? null;
        },
      },
    ];
  });
  return [...rows, ...earlier];
}

type Messages = Parameters<typeof partsOfFile>[0];

/** Versions as the conversation tells of them: the last is the newest, earlier ones count down from it. */
function toldVersions(
  api: Api,
  queries: QueryClient,
  file: ArtifactFile,
  messages: Messages,
): readonly FileVersion[] {
  const { filename, session_id } = file.newest;
  if (!filename || !session_id) return [];
  const parts = partsOfFile(messages, filename);
  return parts.flatMap((part, index): FileVersion[] => {
    const number = file.count - (parts.length - 1 - index);
    if (number < 1) return [];
    return [
      {
        key: `part ${session_id} ${filename} ${index}`,
        number,
        isNewest: false,
        at: part.at,
        size: part.size,
        mediaType: part.mediaType,
        by: file.newest.creator ?? null,
        url: part.url,
        renew: () => toldLink(api, queries, file, number),
      },
    ];
  });
}

/** A fresh link to a version, as the conversation gives it now; null where it tells of none. */
async function toldLink(
  api: Api,
  queries: QueryClient,
  { newest, count }: ArtifactFile,
  number: number,
): Promise<string | null> {
  if (!newest.filename || !newest.session_id) return null;
  const parts = partsOfFile(await readMessages(api, queries, newest.session_id), newest.filename);
  return parts[parts.length - 1 - (count - number)]?.url ?? null;
}

/** The version that one row of a list is. */
function versionOfRow(api: Api, row: ArtifactIn, isNewest: boolean): FileVersion {
  return {
    key: `row ${row.id} ${versionOf(row)}`,
    number: row.major_version ?? null,
    isNewest,
    at: row.created_at ?? null,
    size: sizeOf(row),
    mediaType: mediaTypeOf(row),
    by: row.creator ?? null,
    url: row.url ?? null,
    renew: renewOf(api, row),
  };
}

async function readMessages(api: Api, queries: QueryClient, sessionId: string): Promise<Messages> {
  if (api.capabilities.can("live_messages")) {
    const read = await queries.fetchQuery({ ...interactionQueries.session(api, sessionId), staleTime: 0 });
    return read.data.session?.messages ?? [];
  }
  const read = await queries.fetchQuery({ ...interactionQueries.status(api, sessionId), staleTime: 0 });
  return read.data.messages ?? [];
}

/** A version of a file as a conversation tells of it. */
interface FilePart {
  /** ISO 8601; when the message was written. */
  readonly at: string | null;
  readonly url: string | null;
  readonly mediaType: string | null;
  /** Bytes, where a tool said how much it wrote. */
  readonly size: number | null;
  readonly versionId: string | null;
}

interface Part {
  readonly type?: string | null | undefined;
  readonly file?: Readonly<Record<string, unknown>> | null | undefined;
  readonly result?: { readonly result?: unknown } | null | undefined;
}

interface Spoken {
  readonly timestamp?: string | null | undefined;
  readonly parts?: readonly (Part | null)[] | null | undefined;
}

/**
 * The versions of a file in the order in which a conversation made them: each time it is written there is a file part of
 * its name. The interface has no list of versions, so this is how earlier ones are found.
 */
export function partsOfFile(messages: readonly (Spoken | null)[], filename: string): readonly FilePart[] {
  const found: FilePart[] = [];
  const sizes: number[] = [];
  for (const message of messages) {
    for (const part of message?.parts ?? []) {
      const written = part?.result?.result as { name?: unknown; size?: unknown } | null | undefined;
      if (written?.name === filename && typeof written.size === "number") sizes.push(written.size);
      if (part?.type !== "file" || part.file?.filename !== filename) continue;
      found.push({
        at: message?.timestamp ?? null,
        url: textOf(part.file.artifact_url),
        mediaType: textOf(part.file.media_type),
        versionId: textOf(part.file.version_id),
        size: null,
      });
    }
  }
  // Only where each has one is it known which is whose.
  return sizes.length === found.length
    ? found.map((part, at) => ({ ...part, size: sizes[at] ?? null }))
    : found;
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
