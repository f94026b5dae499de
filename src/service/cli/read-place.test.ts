import { describe, expect, test } from "vitest";
import { readPlace } from "./read-place.ts";

const keys = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "a secret" };
const read = (text: string, environment: Record<string, string> = keys) =>
  readPlace(text, "--files", environment, "/somewhere");
const refused = (text: string, environment: Record<string, string> = keys) => {
  try {
    return JSON.stringify(read(text, environment));
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
};

describe("where files lie", () => {
  test("is a folder, from where the command was typed", () => {
    expect(read("bytes")).toEqual({ type: "folder", path: "/somewhere/bytes" });
    expect(read("/srv/files")).toEqual({ type: "folder", path: "/srv/files" });
  });

  test("is a bucket at Amazon, named in the host, or in the path where its certificate would not fit", () => {
    expect(read("s3://harbor-files")).toEqual({
      ...{ type: "s3", bucket: "harbor-files", prefix: "", region: "us-east-1", addressing: "virtual" },
      endpoint: "https://s3.us-east-1.amazonaws.com",
      credentials: { accessKeyId: "AKID", secretAccessKey: "a secret", sessionToken: null },
    });
    expect(read("s3://files.example.com/a/b/", { ...keys, AWS_REGION: "eu-central-1" })).toMatchObject({
      ...{ bucket: "files.example.com", prefix: "a/b", region: "eu-central-1", addressing: "path" },
      endpoint: "https://s3.eu-central-1.amazonaws.com",
    });
    expect(read("s3://b-1", { ...keys, AWS_DEFAULT_REGION: "cn-north-1" })).toMatchObject({
      endpoint: "https://s3.cn-north-1.amazonaws.com.cn",
    });
  });

  test("is elsewhere where the usual variables say so, that of S3 before the other, and this one place before both", () => {
    const environment = { ...keys, AWS_ENDPOINT_URL: "http://a:9000/", AWS_SESSION_TOKEN: "token" };
    expect(read("s3://bucket/p", environment)).toMatchObject({
      ...{ endpoint: "http://a:9000", addressing: "path", credentials: { sessionToken: "token" } },
    });
    const both = { ...environment, AWS_ENDPOINT_URL_S3: "http://b" };
    expect(read("s3://bucket/p", both)).toMatchObject({ endpoint: "http://b" });
    expect(
      read("s3://bucket/p?endpoint=https://c.example&region=x-1&addressing=virtual", both),
    ).toMatchObject({ endpoint: "https://c.example", region: "x-1", addressing: "virtual" });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["s3://bucket", {}, /^AWS_ACCESS_KEY_ID is required with --files s3:/],
    ["s3://bucket", { AWS_ACCESS_KEY_ID: "x" }, /^AWS_SECRET_ACCESS_KEY is required/],
    ["s3://", keys, /^--files must be s3:\/\/BUCKET/],
    ["s3://bad bucket", keys, /^--files must be .* no name of a bucket/],
    ["s3://bucket/../x", keys, /^--files must be .* prefix/],
    ["s3://bucket//x", keys, /^--files must be .* prefix/],
    ["s3://bucket/ä", keys, /^--files must be .* prefix/],
    ["s3://bucket?adressing=path", keys, /^--files takes endpoint, region and addressing/],
    ["s3://bucket?addressing=paths", keys, /^--files: addressing must be/],
    ["s3://bucket?endpoint=ftp://x", keys, /^--files: endpoint must be an http/],
    ["s3://bucket", { ...keys, AWS_ENDPOINT_URL: "localhost:9000" }, /^AWS_ENDPOINT_URL must be an http/],
    ["s3://bucket", { ...keys, AWS_ENDPOINT_URL_S3: "http://u:p@x" }, /^AWS_ENDPOINT_URL_S3 must be/],
    ["s3://bucket", { ...keys, AWS_REGION: "eu west" }, /^AWS_REGION must be a region/],
    ["gs://bucket", keys, /^--files must be a folder or s3:/],
  ])("S-144: %j is refused by the setting that it is about", (text, environment, expected) => {
    expect(refused(text, environment)).toMatch(expected);
    expect(refused(text, environment)).not.toContain("a secret");
  });
});
