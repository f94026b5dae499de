import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config, FilesPlace, S3Credentials, S3Place } from "../config.ts";
import { UsageError } from "./usage-error.ts";

/** As Amazon names buckets, and as others allow in addition. */
const bucketForm = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;
/** Characters that are the same in an address, in a signature and in a list. */
const prefixForm = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*)(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const regionForm = /^[A-Za-z0-9-]{1,64}$/;
const settings = ["endpoint", "region", "addressing"] as const;

/**
 * Where files lie: a folder, or `s3://BUCKET/PREFIX`, about which the usual variables say the rest. What is different for
 * this one place stands behind a question mark: `?endpoint=…&region=…&addressing=path|virtual`.
 * @param flag which it was given with
 * @param cwd what a relative path starts from
 * @throws UsageError
 */
export function readPlace(
  text: string,
  flag: string,
  environment: Config["environment"],
  cwd: string,
): FilesPlace {
  // With one slash too: nobody means a folder by that.
  if (!/^[a-z][a-z0-9+.-]+:\//i.test(text))
    return { type: "folder", path: readFolder(resolve(cwd, text), flag) };
  if (!text.startsWith("s3://"))
    throw new UsageError(`${flag} must be a folder or s3://BUCKET/PREFIX: other places are not known`);
  const [path = "", query = ""] = text.slice("s3://".length).split("?", 2);
  const [bucket = "", ...rest] = path.split("/");
  const prefix = rest.join("/").replace(/\/$/, "");
  const form = "must be s3://BUCKET or s3://BUCKET/PREFIX";
  if (!bucketForm.test(bucket)) throw new UsageError(`${flag} ${form}, and this is no name of a bucket`);
  if (prefix !== "" && (!prefixForm.test(prefix) || prefix.length > 500))
    throw new UsageError(`${flag} ${form}, the prefix of letters, digits, and . _ - between slashes`);
  const given = readSettings(query, flag);
  const { region, from } = readRegion(given.region, flag, environment);
  if (!regionForm.test(region)) throw new UsageError(`${from} must be a region such as eu-central-1`);
  const own = readEndpoint(given.endpoint, flag, environment);
  return {
    ...{ type: "s3", bucket, prefix, region },
    endpoint: own ?? `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`,
    addressing: given.addressing ?? usualAddressing(own, bucket),
    credentials: readCredentials(flag, environment),
  };
}

/** A folder that is there, or may be made. @throws UsageError where something else has its name */
export function readFolder(path: string, flag: string): string {
  if (isFolder(path) === false) throw new UsageError(`${flag}: ${path} is no folder`);
  return path;
}

/** @returns null where nothing is there, or nobody can tell */
export function isFolder(path: string): boolean | null {
  try {
    return statSync(path).isDirectory();
  } catch {
    return null;
  }
}

/** Amazon wants the bucket in the host, where its certificate fits one; most others have no names for that. */
const usualAddressing = (endpoint: string | null, bucket: string): S3Place["addressing"] =>
  endpoint === null && !bucket.includes(".") ? "virtual" : "path";

interface Settings {
  readonly endpoint?: string;
  readonly region?: string;
  readonly addressing?: S3Place["addressing"];
}

function readSettings(query: string, flag: string): Settings {
  const given = new URLSearchParams(query);
  for (const name of given.keys())
    if (!settings.some((known) => known === name) || given.getAll(name).length > 1)
      throw new UsageError(
        `${flag} takes endpoint, region and addressing after the question mark, each once`,
      );
  const addressing = given.get("addressing");
  if (addressing !== null && addressing !== "path" && addressing !== "virtual")
    throw new UsageError(`${flag}: addressing must be path or virtual`);
  const [endpoint, region] = [given.get("endpoint"), given.get("region")];
  return {
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
    ...(addressing !== null && { addressing }),
  };
}

function readRegion(given: string | undefined, flag: string, environment: Config["environment"]) {
  if (given !== undefined) return { region: given, from: `${flag}: region` };
  const { AWS_REGION, AWS_DEFAULT_REGION } = environment;
  if (AWS_REGION) return { region: AWS_REGION, from: "AWS_REGION" };
  return { region: AWS_DEFAULT_REGION || "us-east-1", from: "AWS_DEFAULT_REGION" };
}

/** @returns null for Amazon's own */
function readEndpoint(
  given: string | undefined,
  flag: string,
  { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL }: Config["environment"],
): string | null {
  const [text, from] =
    given !== undefined
      ? [given, `${flag}: endpoint`]
      : AWS_ENDPOINT_URL_S3
        ? [AWS_ENDPOINT_URL_S3, "AWS_ENDPOINT_URL_S3"]
        : [AWS_ENDPOINT_URL || null, "AWS_ENDPOINT_URL"];
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === "";
  if (!isPlain || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new UsageError(`${from} must be an http(s) address such as https://s3.example.com`);
  return url.href.replace(/\/+$/, "");
}

function readCredentials(flag: string, environment: Config["environment"]): S3Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID) throw new UsageError(`AWS_ACCESS_KEY_ID is required with ${flag} s3://…`);
  if (!AWS_SECRET_ACCESS_KEY) throw new UsageError(`AWS_SECRET_ACCESS_KEY is required with ${flag} s3://…`);
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || null,
  };
}
