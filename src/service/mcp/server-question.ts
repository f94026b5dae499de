import { z } from "zod";
import { hashOf } from "./definition.ts";
import { plainWords } from "./plain-words.ts";
import { type ReadFields, readFields } from "./question-fields.ts";

/** What a person is shown of a question. All of it but the host is the server's words. */
export interface ShownQuestion {
  readonly message: string;
  readonly fields: Extract<ReadFields, { ok: true }>["fields"];
  /** A page that the person opens by themselves; null: it asks for a form. */
  readonly link: { readonly url: string; readonly host: string } | null;
}

/** One question that a server put in the middle of a call. */
export interface AskedQuestion {
  /** As the server knows it. */
  readonly id: string;
  /** Of all that it asks: an answer is for this very question. */
  readonly digest: string;
  /** Null: it is not shown to anybody, and declined. */
  readonly shown: ShownQuestion | null;
  /** Why it is not shown: the rest of a sentence that begins with the server. */
  readonly refusal: string | null;
}

/** What a server asked before it goes on with a call. */
export interface Asks {
  readonly questions: readonly AskedQuestion[];
  /** What the server wants back with the answers, unread; null: nothing. */
  readonly state: string | null;
}

/** What is told to a server. */
export type QuestionAnswer =
  | {
      readonly action: "accept";
      readonly content?: Readonly<Record<string, string | number | boolean | string[]>>;
    }
  | { readonly action: "decline" | "cancel" };

/** What it asked, and what was answered. */
export interface AnsweredAsks {
  readonly state: string | null;
  readonly answers: readonly {
    readonly id: string;
    readonly digest: string;
    readonly answer: QuestionAnswer;
  }[];
}

const elicitation = z.looseObject({
  mode: z.enum(["form", "url"]).default("form"),
  message: z.string(),
  requestedSchema: z.unknown().optional(),
  url: z.string().optional(),
});

/** What is read of one question, in characters: more is no question to a person. */
const maxLength = 50_000;
const messageLength = 2_000;

/** Reads `elicitation/create` as it came. @param id as the server knows it */
export function readQuestion(id: string, params: unknown): AskedQuestion {
  const said = JSON.stringify(params) ?? "";
  const refused = (why: string): AskedQuestion => ({ id, digest: digestOf(said), shown: null, refusal: why });
  if (said.length > maxLength) return refused("asks for too much at once");
  const parsed = elicitation.safeParse(params);
  if (!parsed.success) return refused("asks for something that cannot be read");
  const { mode, message, requestedSchema, url = "" } = parsed.data;
  const digest = hashOf(JSON.parse(JSON.stringify({ mode, message, requestedSchema, url })));
  const words = plainWords(message, messageLength).trim();
  if (mode === "url") {
    const link = readLink(url);
    if (link === null) return refused("asks to open an address that is not safe to open");
    return { id, digest, shown: { message: words, fields: [], link }, refusal: null };
  }
  const read = readFields(requestedSchema);
  if (!read.ok) return { id, digest, shown: null, refusal: read.why };
  return { id, digest, shown: { message: words, fields: read.fields, link: null }, refusal: null };
}

const digestOf = (text: string) => hashOf(text.slice(0, maxLength));

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** By https, or on this machine: what a browser may be led to. An address with a name and password in it hides its host. */
function readLink(text: string): ShownQuestion["link"] {
  if (text.length > 2_000 || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname));
  return isSafe && url.username === "" && url.password === "" ? { url: url.href, host: url.host } : null;
}

const inputRequest = z.looseObject({ method: z.string(), params: z.unknown() });

/** The most that is asked at once; what comes beyond it is declined. */
export const questionsAtOnce = 5;

/** What a server of revision 2026-07-28 answers a call with in place of a result. */
export function readAsks(requests: Readonly<Record<string, unknown>>, state: string | null): Asks {
  const questions = Object.entries(requests).map(([id, request], index) => {
    const parsed = inputRequest.safeParse(request);
    if (!parsed.success || parsed.data.method !== "elicitation/create") {
      const refusal = "asks for something that is not a question to a person";
      return { id, digest: digestOf(id), shown: null, refusal };
    }
    const read = readQuestion(id, parsed.data.params);
    if (index < questionsAtOnce) return read;
    return { ...read, shown: null, refusal: "asks for too much at once" };
  });
  return { questions, state };
}
