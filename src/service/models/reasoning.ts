import type { SignedThought } from "./types.ts";

/** What the SDK knows of a part of an answer beside the protocol, by the name of the provider. */
type Metadata = Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;

/** A text of it, under whichever name: operators choose those of their providers. */
export function metadataText(metadata: Metadata, field: string): string | undefined {
  const values = Object.values(metadata ?? {}).map((own) => own[field]);
  return values.find((value) => typeof value === "string");
}

/** What a model thinks while its answer comes, in pieces. */
export interface Reasoning {
  /** @param textBefore characters of the answer's text so far */
  add(id: string, text: string, metadata: Metadata, textBefore: number): void;
  /** Those that the provider wants back. */
  signed(): readonly SignedThought[];
}

/** For one answer. */
export function collectReasoning(): Reasoning {
  const thoughts = new Map<string, SignedThought>();
  return {
    add(id, text, metadata, textBefore) {
      const before = thoughts.get(id) ?? { text: "", textBefore };
      const signature = metadataText(metadata, "signature") ?? before.signature;
      const redacted = metadataText(metadata, "redactedData") ?? before.redacted;
      thoughts.set(id, {
        ...{ text: before.text + text, textBefore: before.textBefore },
        ...(signature === undefined ? {} : { signature }),
        ...(redacted === undefined ? {} : { redacted }),
      });
    },
    signed: () =>
      [...thoughts.values()].filter(
        ({ signature, redacted }) => signature !== undefined || redacted !== undefined,
      ),
  };
}
