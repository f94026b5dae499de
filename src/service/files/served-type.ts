/** As what the bytes of a file go out. */
export interface ServedType {
  /** The header `content-type`. */
  readonly contentType: string;
  /** Whether a browser may show it in place: what it shows without running anything or asking anybody else. */
  readonly inline: boolean;
}

const plain = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*charset=[\w-]+)?$/;
/** What a page of ours could be made to run or wear, had somebody put its address there: sent as text. */
const code =
  /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript|jscript|livescript|css|typescript|wasm)\b/i;
const shown = /^(?:text|image|audio|video)\/|^application\/(?:pdf|(?:[\w.-]+\+)?json|xml|yaml)(?:$|;)/i;

/**
 * @param mediaType as it was written by whoever made the file: text from outside, which could break the header
 */
export function servedType(mediaType: string): ServedType {
  const type = mediaType.trim().toLowerCase();
  if (!plain.test(type)) return { contentType: "application/octet-stream", inline: false };
  if (code.test(type)) return { contentType: "text/plain; charset=utf-8", inline: true };
  const text = type.startsWith("text/") && !type.includes(";");
  return { contentType: text ? `${type}; charset=utf-8` : type, inline: shown.test(type) };
}
