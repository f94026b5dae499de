/** Another service of the same interface that the operator offers, served below `/upstream/NAME/api/v1`. */
export interface Upstream {
  readonly name: string;
  /** Ends with the version segment, without a trailing slash: `https://api.example.com/api/v1`. */
  readonly url: string;
}

/** A folder, its path absolute. */
export interface FolderPlace {
  readonly type: "folder";
  readonly path: string;
}

/** A bucket of an object store that speaks S3, or what begins with a prefix in it. */
export interface S3Place {
  readonly type: "s3";
  readonly bucket: string;
  /** Without slashes at its ends; empty: the whole bucket. */
  readonly prefix: string;
  /** Scheme, host and port, without the bucket and without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  /** Whether a request names the bucket in its path or in its host. */
  readonly addressing: "path" | "virtual";
  readonly credentials: S3Credentials;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that end; null: they do not. */
  readonly sessionToken: string | null;
}

/** Where the bytes of artifacts and run files lie (`--files`). */
export type FilesPlace = FolderPlace | S3Place;

/** The longest that a collector may be waited for, in milliseconds. */
export const longestTraceTimeoutMs = 600_000;

/** Where traces go, as OpenTelemetry's variables say it. */
export interface TraceSettings {
  /** The collector's address for traces. */
  readonly url: string;
  /** Sent with each request; they may hold its key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "http/protobuf" | "http/json";
  readonly isCompressed: boolean;
  /** For the answer to one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds from one look for what has ended to the next. */
  readonly everyMs: number;
  /** What all spans say of where they come from; `service.name` among it. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: {
    /** Whether a caller who named a trace decides. */
    readonly isParentBased: boolean;
    /** Which share of all others is kept, from 0 to 1. */
    readonly ratio: number;
  };
  /** Whether prompts, answers, arguments, results and sentences of errors go along. */
  readonly withContents: boolean;
}

/** What the process was told, parsed once. Everything else gets it by argument. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The database, the secret and, by default, the files. Absolute. */
  readonly dataDirectory: string;
  /** People, teams, agents, flows and servers, as files. Absolute. */
  readonly workspaceDirectory: string;
  /** Load only the people, teams and keys of the workspace. */
  readonly empty: boolean;
  readonly upstreams: readonly Upstream[];
  /** Further hosts that the service answers for, by name and without a port (`--allowed-host`). */
  readonly allowedHosts: readonly string[];
  /** Null without `--public-url`. Without a trailing slash. */
  readonly publicUrl: string | null;
  readonly filesAt: FilesPlace;
  /** Where files are read that are not there, while they move (`--files-also`); null: nowhere. */
  readonly filesAlsoAt: FilesPlace | null;
  /** Executions that this process advances at the same time. */
  readonly concurrency: number;
  /** How many connections to the database its requests and executions share at most; null: as many as usual. */
  readonly connections: number | null;
  /** How long it still answers after it was told to stop, in seconds: until load balancers have seen that it is not ready. */
  readonly drainSeconds: number;
  /** Where metrics are served (`--metrics`); null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Where traces go; null: nowhere. */
  readonly traces: TraceSettings | null;
  /** Null: the embedded database in the data directory. */
  readonly databaseUrl: string | null;
  /** Null: made in the data directory. */
  readonly secret: string | null;
  /** The built console (`dist/console`). Absolute. */
  readonly consoleDirectory: string;
  /** The environment as it was at the start, for the workspace's `${NAME}` and the models' keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of this package, such as `0.1.0`. */
  readonly version: string;
}
