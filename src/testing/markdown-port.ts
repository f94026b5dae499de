import type { MarkdownPort } from "../console/workers/markdown-client.ts";
import type { MarkdownAnswer } from "../console/workers/markdown-messages.ts";
import { parseMarkdown } from "../console/workers/markdown-parse.ts";

/** Reads markdown without a worker; what it answers is copied as a worker's message would be. */
export function markdownPort(parse: typeof parseMarkdown = parseMarkdown): MarkdownPort {
  let take: ((answer: MarkdownAnswer) => void) | null = null;
  return {
    postMessage({ id, text }) {
      let nodes: MarkdownAnswer["nodes"] = null;
      try {
        nodes = parse(text);
      } catch {
        // As in the worker: shown as it was written.
      }
      queueMicrotask(() => take?.(structuredClone({ id, nodes })));
    },
    listen(onAnswer) {
      take = onAnswer;
    },
    terminate() {
      take = null;
    },
  };
}
