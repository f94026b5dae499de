import { createHash, createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { S3Place } from "../service/config.ts";

/** What a request asks for, as a fault sees it. */
export interface AskedOfS3 {
  readonly method: string;
  /** Without the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/** What goes wrong with one request. */
export type S3Fault =
  | {
      readonly type: "answer";
      readonly status: number;
      readonly code: string;
      readonly headers?: Record<string, string>;
    }
  /** The connection ends before the body has been read. */
  | { readonly type: "cut-upload" }
  /** It is done, and the connection ends in place of the answer. */
  | { readonly type: "lost-answer" }
  /** So many bytes of the body, under headers that promise all of it. */
  | { readonly type: "cut-download"; readonly after: number }
  /** All of it, one bit of it wrong. */
  | { readonly type: "flip-bit" }
  /** No answer at all. */
  | { readonly type: "silence" };

interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly meta: Record<string, string>;
  readonly writtenAt: Date;
}

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
  readonly begunAt: Date;
}

/** An S3 of one bucket in this process, which looks at signatures with code of its own. */
export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, Upload>;
  /** `METHOD key` of each request, in their order. */
  readonly asked: string[];
  /** The most bytes that requests under way held at once. */
  place(changes?: Partial<S3Place>): S3Place;
  /** Called for each request that is signed well; null: nothing is wrong with it. */
  fault: (asked: AskedOfS3) => S3Fault | null;
  /** What an object says of when it was written. */
  age(key: string, writtenAt: Date): void;
  /** By how much its clock is ahead, in milliseconds. */
  aheadMs: number;
  stop(): Promise<void>;
}

export const s3Keys = {
  accessKeyId: "AKIDOFTESTS",
  secretAccessKey: "a/secret+of=tests",
  sessionToken: null,
} as const;
const region = "eu-test-1";
const bucket = "wheelhouse";
const pageLength = 3;

const hex = (algorithm: string, bytes: string | Buffer) => createHash(algorithm).update(bytes).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const uploads: S3Server["uploads"] = new Map();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const endpoint = `http://127.0.0.1:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", endpoint);
    const method = request.method ?? "";
    const isVirtual = !/^[\d.]+(:|$)/.test(request.headers.host ?? "");
    const path = decodeURIComponent(url.pathname).slice(1);
    const name = isVirtual ? (request.headers.host ?? "").split(".")[0] : path.split("/")[0];
    const key = isVirtual ? path : path.slice((name ?? "").length + 1);
    const say = (status: number, code: string, headers: Record<string, string> = {}, more = "") => {
      const date = new Date(Date.now() + self.aheadMs).toUTCString();
      response.writeHead(status, { "content-type": "application/xml", date, ...headers });
      response.end(
        method === "HEAD" ? "" : `<?xml version="1.0"?><Error><Code>${code}</Code>${more}</Error>`,
      );
    };
    const facts = { method, key, query: url.searchParams, headers: request.headers };
    const fault = self.fault(facts);
    if (fault?.type === "cut-upload") {
      request.once("data", () => request.socket.destroy());
      return;
    }
    const body = await bodyOf(request);
    asked.push(`${method} ${key}`);
    const wrong = wrongSignature(request, url, body, Date.now() + self.aheadMs);
    if (wrong === "AuthorizationHeaderMalformed")
      return say(400, wrong, { "x-amz-bucket-region": region }, `<Region>${region}</Region>`);
    if (wrong !== null) return say(wrong.startsWith("XAmz") ? 400 : 403, wrong);
    if (name !== bucket) return say(404, "NoSuchBucket");
    if (fault?.type === "silence") return;
    if (fault?.type === "answer") return say(fault.status, fault.code, fault.headers);
    const done = act(facts, body);
    if (fault?.type === "lost-answer") return void request.socket.destroy();
    if ("code" in done) return say(done.status, done.code);
    const bytes = Buffer.from(done.body);
    if (fault?.type === "flip-bit" && bytes.length > 0)
      bytes[bytes.length >> 1] = (bytes.at(bytes.length >> 1) ?? 0) ^ 1;
    response.writeHead(done.status, { "content-length": String(bytes.length), ...done.headers });
    if (method === "HEAD") return void response.end();
    if (fault?.type !== "cut-download") return void response.end(bytes);
    response.write(bytes.subarray(0, fault.after), () => request.socket.destroy());
  }

  function act(
    { method, key, query, headers }: AskedOfS3,
    body: Buffer,
  ):
    | { readonly status: number; readonly code: string }
    | { readonly status: number; readonly body: string | Buffer; readonly headers?: Record<string, string> } {
    const xml = (root: string, content: string) => ({ status: 200, body: `<${root}>${content}</${root}>` });
    const uploadId = query.get("uploadId") ?? "";
    const upload = uploads.get(uploadId);
    if (uploadId !== "" && upload === undefined) return { status: 404, code: "NoSuchUpload" };
    const store = (bytes: Buffer, etag: string) =>
      objects.set(key, {
        ...{ bytes, etag, writtenAt: new Date() },
        meta: Object.fromEntries(
          Object.entries(headers).flatMap(([name, value]) =>
            name.startsWith("x-amz-meta-") && typeof value === "string" ? [[name, value]] : [],
          ),
        ),
      });
    if (method === "POST" && query.has("uploads")) {
      const id = randomBytes(6).toString("hex");
      uploads.set(id, { key, parts: new Map(), begunAt: new Date() });
      return xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`);
    }
    if (method === "PUT" && upload !== undefined) {
      upload.parts.set(Number(query.get("partNumber")), body);
      return { status: 200, body: "", headers: { etag: `"${hex("md5", body)}"` } };
    }
    if (method === "POST" && upload !== undefined) {
      const numbers = [
        ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"?(\w+)"?<\/ETag>/g),
      ];
      const parts = numbers.map(([, number, etag]) => ({ bytes: upload.parts.get(Number(number)), etag }));
      if (parts.some(({ bytes, etag }) => bytes === undefined || hex("md5", bytes) !== etag))
        return { status: 400, code: "InvalidPart" };
      store(Buffer.concat(parts.flatMap(({ bytes }) => bytes ?? [])), `"${uploadId}-${parts.length}"`);
      uploads.delete(uploadId);
      return xml("CompleteMultipartUploadResult", "");
    }
    if (method === "DELETE") {
      if (upload !== undefined) uploads.delete(uploadId);
      else objects.delete(key);
      return { status: 204, body: "" };
    }
    if (method === "PUT") {
      store(body, `"${hex("md5", body)}"`);
      return { status: 200, body: "", headers: { etag: `"${hex("md5", body)}"` } };
    }
    if (key === "" && query.has("uploads"))
      return xml(
        "ListMultipartUploadsResult",
        [...uploads]
          .filter(([, one]) => one.key.startsWith(query.get("prefix") ?? ""))
          .map(
            ([id, one]) =>
              `<Upload><Key>${one.key}</Key><UploadId>${id}</UploadId><Initiated>${one.begunAt.toISOString()}</Initiated></Upload>`,
          )
          .join(""),
      );
    if (key === "") {
      const after = query.get("continuation-token") ?? "";
      const found = [...objects.keys()]
        .filter((one) => one.startsWith(query.get("prefix") ?? "") && one > after)
        .sort();
      const page = found.slice(0, pageLength);
      const isCut = found.length > page.length;
      const contents = page.map(
        (one) =>
          `<Contents><Key>${one}</Key><LastModified>${objects.get(one)?.writtenAt.toISOString()}</LastModified></Contents>`,
      );
      const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
      return xml("ListBucketResult", `<IsTruncated>${isCut}</IsTruncated>${next}${contents.join("")}`);
    }
    const object = objects.get(key);
    if (object === undefined) return { status: 404, code: "NoSuchKey" };
    const { etag, meta, bytes } = object;
    if (headers["if-match"] !== undefined && headers["if-match"] !== etag)
      return { status: 412, code: "PreconditionFailed" };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (first === undefined || last === undefined)
      return { status: 200, body: bytes, headers: { etag, ...meta } };
    if (Number(first) >= bytes.length) return { status: 416, code: "InvalidRange" };
    return { status: 206, body: bytes.subarray(Number(first), Number(last) + 1), headers: { etag, ...meta } };
  }

  const self: S3Server = {
    endpoint,
    objects,
    uploads,
    asked,
    place: (changes) => ({
      ...{
        type: "s3",
        bucket,
        prefix: "some/where",
        endpoint,
        region,
        addressing: "path",
        credentials: s3Keys,
      },
      ...changes,
    }),
    fault: () => null,
    age(key, writtenAt) {
      const object = objects.get(key);
      if (object === undefined) throw new Error(`there is no ${key}`);
      objects.set(key, { ...object, writtenAt });
    },
    aheadMs: 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** By "Authenticating Requests (AWS Signature Version 4)" of Amazon's documentation. @returns the code of a refusal */
function wrongSignature(
  { method, headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  now: number,
): string | null {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    );
  if (given === null) return "AccessDenied";
  const [, id, day, place, names = "", signature] = given;
  if (id !== s3Keys.accessKeyId) return "InvalidAccessKeyId";
  if (headers["x-amz-security-token"] !== undefined) return "ExpiredToken";
  if (place !== region) return "AuthorizationHeaderMalformed";
  const date = String(headers["x-amz-date"]);
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(at - now) < 900_000)) return "RequestTimeTooSkewed";
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith("x-amz-") && !names.split(";").includes(name),
  );
  if (unsigned.length > 0 || !names.split(";").includes("host")) return "AccessDenied";
  const encoded = (text: string) =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const canonical = [
    method,
    url.pathname,
    query.join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${place}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", date, scope, hex("sha256", canonical)].join("\n");
  const dayKey = hmac(`AWS4${s3Keys.secretAccessKey}`, String(day));
  const key = hmac(hmac(hmac(dayKey, String(place)), "s3"), "aws4_request");
  if (hmac(key, text).toString("hex") !== signature) return "SignatureDoesNotMatch";
  return headers["x-amz-content-sha256"] === hex("sha256", body) ? null : "XAmzContentSHA256Mismatch";
}
