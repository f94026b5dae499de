import type { S3Place } from "../../config.ts";
import { toOutgoingError } from "../../outgoing/outgoing-error.ts";
import { sentenceOf } from "../../store/store-error.ts";
import { FilesError } from "../files-error.ts";
import { xmlTexts } from "./xml.ts";

/** What is done with the store, by the right that it needs. */
export type S3Action =
  | "s3:PutObject"
  | "s3:GetObject"
  | "s3:DeleteObject"
  | "s3:ListBucket"
  | "s3:ListBucketMultipartUploads"
  | "s3:AbortMultipartUpload";

const doing: Readonly<Record<S3Action, string>> = {
  "s3:PutObject": "write files into",
  "s3:GetObject": "read files from",
  "s3:DeleteObject": "remove files from",
  "s3:ListBucket": "list",
  "s3:ListBucketMultipartUploads": "list the unfinished uploads of",
  "s3:AbortMultipartUpload": "end unfinished uploads to",
};

/** An answer that is no success. */
export interface S3Refusal {
  readonly status: number;
  /** Of the answer, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its XML; empty for HEAD. */
  readonly text: string;
}

/** The code of a refusal, such as `NoSuchKey`; empty where it has none. */
export const codeOfRefusal = ({ text }: Pick<S3Refusal, "text">) => xmlTexts(text).get("Code") ?? "";

/** Codes that say "later", beside 429 and 5xx. */
const busy = new Set([
  "SlowDown",
  "ServiceUnavailable",
  "InternalError",
  "RequestTimeout",
  "OperationAborted",
]);
const full = new Set(["QuotaExceeded", "EntityTooLargeForQuota", "InsufficientStorage", "XMinioStorageFull"]);
const expired = new Set(["ExpiredToken", "ExpiredTokenException", "InvalidToken", "TokenRefreshRequired"]);
const elsewhere = new Set(["PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed"]);

/** Whether the same request may be answered well a moment later. */
export function isPassing(refusal: S3Refusal): boolean {
  const { status } = refusal;
  if (status === 429 || (status >= 500 && status !== 501 && status !== 507)) return true;
  return status >= 400 && busy.has(codeOfRefusal(refusal));
}

/** Whether the store's clock differs too much from the one that dated the request. */
export const isSkewed = (refusal: S3Refusal): boolean => codeOfRefusal(refusal) === "RequestTimeTooSkewed";

/** What a refusal means, with the setting that it is about. */
export function refusalError(
  { endpoint, bucket, region }: S3Place,
  action: S3Action,
  refusal: S3Refusal,
  now: Date,
): FilesError {
  const { status, headers } = refusal;
  const texts = xmlTexts(refusal.text);
  const code = texts.get("Code") ?? "";
  const host = new URL(endpoint).host;
  const cause = new Error(`${status} ${code}`.trim());
  const refused = (found: string, remedy: string) => new FilesError("refused", found, remedy, cause);
  if (status === 507 || full.has(code))
    return new FilesError("full", `The bucket ${bucket} at ${host} is full`, "Make room in it", cause);
  if (isPassing(refusal))
    return new FilesError(
      "unavailable",
      `${host} answers ${status}${code === "" ? "" : ` ${code}`}`,
      "Look at the object store",
      cause,
    );
  const right = headers["x-amz-bucket-region"] ?? texts.get("Region") ?? "";
  if (elsewhere.has(code) || (status >= 300 && status < 400) || (right !== "" && right !== region)) {
    const other = right !== "" && right !== region ? right : null;
    return other === null
      ? refused(
          `${host} sends requests for the bucket ${bucket} elsewhere`,
          "Set AWS_REGION and AWS_ENDPOINT_URL_S3 to those of the bucket",
        )
      : refused(`The bucket ${bucket} is in the region ${other}, not ${region}`, `Set AWS_REGION=${other}`);
  }
  if (code === "NoSuchBucket" || (status === 404 && action !== "s3:GetObject"))
    return refused(`There is no bucket ${bucket} at ${host}`, "Make it, or name another one with --files");
  if (isSkewed(refusal))
    return refused(clockSentence(host, headers.date, now), "Set it, and keep it by a time service");
  if (code === "InvalidAccessKeyId")
    return refused(
      `${host} does not know the key in AWS_ACCESS_KEY_ID`,
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key of it",
    );
  if (code === "SignatureDoesNotMatch")
    return refused(
      `${host} does not accept our signature`,
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key of it, and AWS_REGION to the region of the bucket",
    );
  if (expired.has(code))
    return refused(
      `${host} does not accept the session token, or it has expired`,
      "Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN to new ones, and start again",
    );
  if (status === 401 || status === 403)
    return refused(
      `The key in AWS_ACCESS_KEY_ID may not ${doing[action]} the bucket ${bucket}`,
      `Give it the right ${action}, or set AWS_ACCESS_KEY_ID to a key that has it`,
    );
  return refused(
    `${host} refuses to ${doing[action]} the bucket ${bucket} (${status}${code === "" ? "" : ` ${code}`})`,
    "Look at --files and AWS_ENDPOINT_URL_S3, and at the object store's log",
  );
}

function clockSentence(host: string, date: string | undefined, now: Date): string {
  const ms = now.getTime() - Date.parse(date ?? "");
  if (Number.isNaN(ms)) return `The clock of this machine differs from that of ${host}`;
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000));
  return `The clock of this machine is ${minutes} min ${ms > 0 ? "ahead of" : "behind"} that of ${host}`;
}

/** What it means that no answer came. Aborts pass as they are. */
export function connectionError({ endpoint }: S3Place, thrown: unknown): unknown {
  const { host } = new URL(endpoint);
  const error = toOutgoingError(thrown, host);
  if (error === thrown || !(error instanceof Error)) return thrown;
  // Names of hosts and what certificates lack, which the sentence leaves out.
  const detail = error.message.endsWith("could not be reached") ? ` (${sentenceOf(thrown)})` : "";
  return new FilesError(
    "unavailable",
    `${error.message}${detail}`,
    "Look at AWS_ENDPOINT_URL_S3 and AWS_REGION, and whether the object store runs",
    thrown,
  );
}
