/** A version of a file as a conversation tells of it. */
export interface FilePart {
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
