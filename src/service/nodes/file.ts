import { z } from "zod";
import { mediaTypeOfText } from "../files/media-type.ts";
import { insertRunFile, runFileId } from "../pipelines/run-files.ts";
import { commonFields, defineNode, done, NodeError, textField } from "./node.ts";

const maxFileSize = 10_000_000;

/** Writes a file of the run (§4.6), text of up to 10 MB. A run has one file of each name: a later one replaces it. */
export const file = defineNode({
  type: "file",
  schema: z.strictObject({
    type: z.literal("file"),
    ...commonFields,
    name: z.string().min(1).max(1_000),
    content: z.string(),
    /** From the name's ending and the content where it is missing. */
    media_type: z
      .string()
      .regex(/^[a-z]+\/[a-z0-9.+-]+$/)
      .max(100)
      .optional(),
  }),
  outputs: ["value", "size", "media_type"],
  staysInside: true,
  writesFile: true,
  literals: ["media_type"],
  async run({ id, config, fields, facts, services }) {
    const name = textField(fields, "name");
    const invalid = invalidName(name);
    if (invalid) throw new NodeError(`the file name ${JSON.stringify(name.slice(0, 100))} ${invalid}`);
    const content = textField(fields, "content");
    const bytes = Buffer.from(content, "utf8");
    if (bytes.length > maxFileSize) throw new NodeError(`the file "${name}" is larger than 10 MB`);
    const mediaType = config.media_type ?? mediaTypeOfText(name, content);
    const fileId = runFileId(facts.runId, id);
    const size = await services.files.write(fileId, bytes);
    const row = { runId: facts.runId, name, fileId, size, mediaType };
    return done({ value: name, size, media_type: mediaType }, (tx) => insertRunFile(tx, row));
  },
});

function invalidName(name: string): string | null {
  if (name.trim() === "" || name === "." || name === "..") return "is empty";
  if (Buffer.byteLength(name) > 255) return "is longer than 255 bytes";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f/\\]/.test(name)) return "must not hold /, \\ or control characters";
  return null;
}
