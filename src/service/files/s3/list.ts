import type { S3Place } from "../../config.ts";
import { prefixed, type S3Client } from "./client.ts";
import { xmlItems, xmlTexts } from "./xml.ts";

export interface ListedObject {
  /** Below the place's prefix. */
  readonly key: string;
  /** In ms since 1970, by the store's clock. */
  readonly writtenAt: number;
}

/** The objects of a place whose keys begin so, a page at a time. Keys have no characters that a list would encode. */
export async function* listObjects(
  client: S3Client,
  place: S3Place,
  beginning: string,
): AsyncGenerator<ListedObject> {
  const prefix = prefixed(place.prefix, beginning);
  const own = prefixed(place.prefix, "").length;
  for (let token = ""; ; ) {
    const { text } = await client.ask({
      ...{ method: "GET", action: "s3:ListBucket" },
      query: { "list-type": "2", prefix, ...(token !== "" && { "continuation-token": token }) },
    });
    for (const item of xmlItems(text, "Contents")) {
      const writtenAt = Date.parse(item.get("LastModified") ?? "");
      yield { key: (item.get("Key") ?? "").slice(own), writtenAt };
    }
    const texts = xmlTexts(text);
    token = texts.get("IsTruncated") === "true" ? (texts.get("NextContinuationToken") ?? "") : "";
    if (token === "") return;
  }
}

export interface ListedUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly begunAt: number;
}

/** The uploads in parts that have not ended. A store that lists none (501) is taken to end them by itself. */
export async function* listUploads(
  client: S3Client,
  place: S3Place,
  beginning: string,
): AsyncGenerator<ListedUpload> {
  const prefix = prefixed(place.prefix, beginning);
  const own = prefixed(place.prefix, "").length;
  for (let marker: Record<string, string> = {}; ; ) {
    const { status, text } = await client.ask({
      ...{ method: "GET", action: "s3:ListBucketMultipartUploads", expects: [501] },
      query: { uploads: "", prefix, ...marker },
    });
    if (status === 501) return;
    for (const item of xmlItems(text, "Upload")) {
      const begunAt = Date.parse(item.get("Initiated") ?? "");
      yield { key: (item.get("Key") ?? "").slice(own), uploadId: item.get("UploadId") ?? "", begunAt };
    }
    const texts = xmlTexts(text);
    if (texts.get("IsTruncated") !== "true") return;
    marker = {
      "key-marker": texts.get("NextKeyMarker") ?? "",
      "upload-id-marker": texts.get("NextUploadIdMarker") ?? "",
    };
  }
}
