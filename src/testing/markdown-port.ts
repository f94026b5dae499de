import type { MarkdownPort } from "../console/lib/markdown/worker/markdown-client.ts";
import type { FromMarkdownWorker, MarkdownNode } from "../console/lib/markdown/worker/markdown-messages.ts";
import { parseMarkdown } from "../console/lib/markdown/worker/markdown-parse.ts";

/** Reads markdown without a worker; what it answers is copied as a worker's message would be. */
export function markdownPort(parse: typeof parseMarkdown = parseMarkdown): MarkdownPort {
  let take: ((message: FromMarkdownWorker) => void) | null = null;
  const say = (message: FromMarkdownWorker) => queueMicrotask(() => take?.(structuredClone(message)));
  return {
    postMessage({ id, text }) {
      let nodes: readonly MarkdownNode[] | null = null;
      try {
        nodes = parse(text);
      } catch {
        // As in the worker: shown as it was written.
      }
      say({ type: "read", id, nodes });
    },
    listen(onMessage) {
      take = onMessage;
      say({ type: "ready" });
    },
    terminate() {
      take = null;
    },
  };
}
