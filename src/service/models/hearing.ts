import type { Fetch } from "./providers.ts";

/** Of an answer that is no stream of events: enough to tell what it is. */
const keptCharacters = 10_000;

/** Listens to an answer on its way to the SDK. */
export interface Hearing {
  readonly fetch: Fetch;
  /** Aborted where nothing came for too long. */
  readonly silence: AbortSignal;
  /** How the answer begins; empty where it is refused, or nothing has come of it. */
  beginning(): string;
  end(): void;
}

/** @param silenceMs without a single byte: servers at work on a long answer send what is no part of it meanwhile */
export function hear(fetch: Fetch, silenceMs: number): Hearing {
  const watch = watchSilence(silenceMs);
  let beginning = "";
  return {
    silence: watch.signal,
    beginning: () => beginning,
    end: watch.end,
    async fetch(input, init) {
      const response = await fetch(input, init);
      watch.heard();
      if (!response.body) return response;
      const { ok, status, statusText, headers } = response;
      const decoder = new TextDecoder();
      const told = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          watch.heard();
          if (ok && beginning.length < keptCharacters) beginning += decoder.decode(piece, { stream: true });
          controller.enqueue(piece);
        },
      });
      const body = response.body.pipeThrough(told);
      return new Response(body, { status, statusText, headers: [...headers] });
    },
  };
}

function watchSilence(milliseconds: number) {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(), milliseconds);
  let timer = start();
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}
