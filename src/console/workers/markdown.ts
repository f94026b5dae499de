/// <reference lib="webworker" />
import type { MarkdownAnswer, MarkdownQuestion } from "./markdown-messages.ts";
import { parseMarkdown } from "./markdown-parse.ts";

// A module worker: a text that takes for ever costs this thread, which markdown-client.ts ends, and not the page (C-09).
const scope = self as unknown as DedicatedWorkerGlobalScope;
scope.addEventListener("message", ({ data }: MessageEvent<MarkdownQuestion>) => {
  let nodes: MarkdownAnswer["nodes"] = null;
  try {
    nodes = parseMarkdown(data.text);
  } catch {
    // Nested too deeply: it is shown as it was written.
  }
  scope.postMessage({ id: data.id, nodes } satisfies MarkdownAnswer);
});
