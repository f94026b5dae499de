/** Streams of real providers, for the fake model server's `raw` answers. */

const events = (list: readonly object[]) => list.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("");

/** OpenAI's chat protocol: one chunk for each delta, and the reason why it ended. */
export function chatStream(deltas: readonly object[], reason = "tool_calls"): string {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ id: "1", object: "chat.completion.chunk", created: 1, model: "fake" },
    choices: [{ index: 0, delta, finish_reason }],
  });
  return `${events([...deltas.map((delta) => chunk(delta)), chunk({}, reason)])}data: [DONE]\n\n`;
}

/** What Anthropic's protocol sends of one block: as it begins, then what comes to it. */
export type Block = readonly [begin: object, ...deltas: object[]];

/** Anthropic's protocol. */
export function anthropicStream(blocks: readonly Block[], reason = "tool_use"): string {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude", content: [] };
  return events([
    { type: "message_start", message: { ...message, usage: { input_tokens: 7, output_tokens: 1 } } },
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      { type: "content_block_start", index, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 3 } },
    { type: "message_stop" },
  ]);
}

const call = (name: string, args: string) => ({ name, arguments: args });

/** Gemini 3 by its OpenAI endpoint: two calls at once, of which the first alone is signed. */
export const geminiCalls = (name: string, args: string) =>
  chatStream([
    {
      role: "assistant",
      tool_calls: [
        {
          ...{ index: 0, id: "call_a", type: "function", function: call(name, args) },
          extra_content: { google: { thought_signature: "sig-gemini+/=" } },
        },
        { index: 1, id: "call_b", type: "function", function: call(name, args) },
      ],
    },
  ]);

/** DeepSeek, thinking. */
export const deepseekCall = (thought: string, name: string, args: string) =>
  chatStream([
    ...[...thought.split(" ")].map((word) => ({ content: null, reasoning_content: `${word} ` })),
    { tool_calls: [{ index: 0, id: "call_a", type: "function", function: call(name, args) }] },
  ]);

/** Claude, thinking: what it shows, what is kept from us, and what it thinks after it has begun to speak. */
export const claudeCall = (name: string, args: string) =>
  anthropicStream([
    [
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "The tide " },
      { type: "thinking_delta", thinking: "is out." },
      { type: "signature_delta", signature: "sig-claude+/=" },
    ],
    [{ type: "redacted_thinking", data: "hidden+/=" }],
    [
      { type: "text", text: "" },
      { type: "text_delta", text: "One moment." },
    ],
    [
      { type: "thinking", thinking: "", signature: "" },
      { type: "signature_delta", signature: "sig-silent" },
    ],
    [
      { type: "tool_use", id: "toolu_1", name, input: {} },
      { type: "input_json_delta", partial_json: args },
    ],
  ]);

/** The same as it has to come back. */
export const claudeToldBack = [
  { type: "thinking", thinking: "The tide is out.", signature: "sig-claude+/=" },
  { type: "redacted_thinking", data: "hidden+/=" },
  { type: "text", text: "One moment." },
  { type: "thinking", thinking: "", signature: "sig-silent" },
  { type: "tool_use", id: "toolu_1" },
];
