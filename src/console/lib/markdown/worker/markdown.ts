/// <reference lib="webworker" />
import type { FromMarkdownWorker, MarkdownNode, MarkdownQuestion } from "./markdown-messages.ts";
import { parseMarkdown } from "./markdown-parse.ts";

// A module worker: a text that takes for ever costs this thread, which markdown-client.ts ends, and not the page (C-09).
const scope = self as unknown as DedicatedWorkerGlobalScope;
const say = (message: FromMarkdownWorker) => scope.postMessage(message);
scope.addEventListener("message", ({ data }: MessageEvent<MarkdownQuestion>) => {
  let nodes: readonly MarkdownNode[] | null = null;
  try {
    nodes = parseMarkdown(data.text);
  } catch {
    // Nested too deeply: it is shown as it was written.
  }
  say({ type: "read", id: data.id, nodes });
});
say({ type: "ready" });
