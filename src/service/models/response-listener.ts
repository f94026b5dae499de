import { isJsonObject } from "../json.ts";
import type { HeldLine } from "../outgoing/held-lines.ts";
import { hasPlainArguments, withTextArguments } from "./call-arguments.ts";
import { withoutEnd } from "./model-error.ts";
import type { Fetch } from "./providers.ts";
import { asStream } from "./whole-answer.ts";

/** Of an answer that is no stream of events: enough to tell what it is. */
const keptCharacters = 10_000;

/** Of a line, or of an answer that comes in one piece, in bytes: it is held as a whole, whatever would come of it. */
const mostHeld = 16_000_000;

/** How long nothing may come, in milliseconds. */
export interface SilenceLimits {
  /** Before the answer begins: some models think without a word, and servers of one's own read long requests so. */
  readonly beforeMs: number;
  /** Within it: servers at work on a long answer send what is no part of it meanwhile. */
  readonly withinMs: number;
}

/** Listens to an answer on its way to the SDK. */
export interface ResponseListener {
  readonly fetch: Fetch;
  /** Aborted where nothing came for too long; its reason is for how long, in milliseconds. */
  readonly silence: AbortSignal;
  /** How the answer begins; empty where it is refused, or nothing has come of it. */
  beginning(): string;
  /** Whether it was broken off, as more came in one piece than is held. */
  isEndless(): boolean;
  end(): void;
}

/** Listens to one request. @param fetch what sends it @param line waits for room where a piece of the answer is long */
export function listen(fetch: Fetch, silenceLimits: SilenceLimits, line: HeldLine): ResponseListener {
  const watch = watchSilence(silenceLimits);
  let beginning = "";
  let isEndless = false;
  return {
    silence: watch.signal,
    beginning: () => beginning,
    isEndless: () => isEndless,
    end() {
      watch.end();
      line.end();
    },
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (!response.body) return response;
      const { ok, status, statusText, headers } = response;
      const isWhole = ok && /\bjson\b/i.test(headers.get("content-type") ?? "");
      const decoder = new TextDecoder();
      let held = 0;
      const told = new TransformStream<Uint8Array, Uint8Array>({
        async transform(piece, controller) {
          watch.heard();
          const lineEnd = isWhole ? -1 : piece.lastIndexOf(newline);
          held = lineEnd < 0 ? held + piece.length : piece.length - lineEnd - 1;
          if (held > mostHeld) {
            isEndless = true;
            throw withoutEnd();
          }
          const room = line.hold(held);
          if (room !== null) await watch.without(room);
          if (ok && beginning.length < keptCharacters) beginning += decoder.decode(piece, { stream: true });
          controller.enqueue(piece);
        },
      });
      const came = response.body.pipeThrough(told);
      const body = isWhole ? asStream(came) : came;
      return new Response(ok ? asUsual(body) : body, { status, statusText, headers: [...headers] });
    },
  };
}

const newline = 10;

/** The answers of servers that take liberties with the protocol, as the SDK wants them. */
function asUsual(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let open = "";
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const text = decoder.decode(piece, { stream: true });
        // A long line comes in many pieces, and is looked through once.
        if (!text.includes("\n")) {
          open += text;
          return;
        }
        const lines = (open + text).split("\n");
        open = lines.pop() ?? "";
        if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.map(whole).join("\n")}\n`));
      },
      flush(controller) {
        controller.enqueue(encoder.encode(whole(open + decoder.decode())));
      },
    }),
  );
}

function whole(line: string): string {
  if (!line.startsWith("data:")) return line;
  const lacksChoices = line.includes('"usage"') && !/"choices"\s*:\s*\[/.test(line);
  if (!lacksChoices && !hasPlainArguments(line)) return line;
  try {
    const piece: unknown = JSON.parse(line.slice("data:".length));
    if (!isJsonObject(piece)) return line;
    if (!lacksChoices) return `data: ${JSON.stringify(withTextArguments(piece))}`;
    // Some leave out `choices` where a piece tells nothing but how many tokens there were.
    const isUsage = isJsonObject(piece.usage) && !piece.choices && !piece.type;
    return isUsage && !piece.error ? `data: ${JSON.stringify({ ...piece, choices: [] })}` : line;
  } catch {
    return line;
  }
}

function watchSilence({ beforeMs, withinMs }: SilenceLimits) {
  const controller = new AbortController();
  const start = (ms: number) => setTimeout(() => controller.abort(ms), ms);
  let timer = start(beforeMs);
  let hasEnded = false;
  const heard = () => {
    clearTimeout(timer);
    if (!hasEnded) timer = start(withinMs);
  };
  return {
    signal: controller.signal,
    heard,
    /** It is not silent while nobody listens. */
    async without(wait: Promise<void>) {
      clearTimeout(timer);
      await wait;
      heard();
    },
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
