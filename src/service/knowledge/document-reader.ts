import { createLimiter, type Requester } from "../limiter.ts";
import { type DocumentLimits, documentLimits, documentsAtOnce } from "./document-limits.ts";
import type { FileKind } from "./file-kind.ts";
import type { DocumentPage, Passage } from "./passages.ts";
import { createReaderProcesses } from "./reader-processes.ts";

export interface DocumentRequest {
  readonly kind: FileKind;
  /** Asked when there is a place for it: what waits takes no memory. @returns null where the file is gone */
  load(): Promise<Uint8Array | null>;
}

/** A sentence for the person who sent the file. */
export interface Unreadable {
  readonly type: "unreadable";
  readonly reason: string;
}
interface Pages {
  readonly type: "pages";
  readonly pages: readonly DocumentPage[];
  readonly pageCount: number | null;
}
interface Passages {
  readonly type: "passages";
  readonly passages: readonly Passage[];
}

/** What the service sends to the process. */
export interface ProcessRequest {
  readonly kind: FileKind;
  readonly bytes: Uint8Array;
  readonly wanted: "pages" | "passages";
  readonly limits: Pick<DocumentLimits, "pages" | "characters">;
}
export type ProcessAnswer = Pages | Passages | Unreadable;

const gone: Unreadable = {
  type: "unreadable",
  reason: "The file is missing from the service’s storage.",
};

/** Reads documents apart from the service: in a process that is ended when a file takes too much time or memory. */
export interface DocumentReader {
  /**
   * The text of a document. One of each tenant is read at a time; the others wait, and tenants take turns.
   * @param requester its signal ends the wait and the reading
   * @throws the signal's reason when it is aborted
   */
  read(request: DocumentRequest, requester: Requester): Promise<Pages | Unreadable>;
  /** The same, cut into passages: of a long text that takes seconds, in which the service must go on. */
  cut(request: DocumentRequest, requester: Requester): Promise<Passages | Unreadable>;
  close(): Promise<void>;
}

/** Reads each document in a process of its own, which may need no more than `limits`. */
export function createDocumentReader(limits: DocumentLimits = documentLimits): DocumentReader {
  const limiter = createLimiter({ places: documentsAtOnce, eachTenant: 1 });
  const processes = createReaderProcesses(limits, documentsAtOnce);

  const ask = (
    wanted: ProcessRequest["wanted"],
    { kind, load }: DocumentRequest,
    requester: Requester,
  ): Promise<ProcessAnswer> =>
    limiter.run(requester, async () => {
      const bytes = await load();
      if (bytes === null) return gone;
      const [tenant = ""] = requester.share;
      return processes.ask(tenant, { kind, bytes, wanted, limits }, requester.signal);
    });

  return {
    async read(request, requester) {
      const answer = await ask("pages", request, requester);
      if (answer.type === "passages") throw new Error("the process answered another question");
      return answer;
    },
    async cut(request, requester) {
      const answer = await ask("passages", request, requester);
      if (answer.type === "pages") throw new Error("the process answered another question");
      return answer;
    },
    close: () => processes.close(),
  };
}
