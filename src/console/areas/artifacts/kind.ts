/** How a file is looked at. `none`: nothing here can show it, it is offered as a download. */
export type Kind =
  | ("image" | "svg" | "pdf" | "audio" | "video" | "html")
  | ("markdown" | "json" | "csv" | "xlsx" | "code" | "text" | "none");

const byType: readonly (readonly [RegExp, Kind])[] = [
  [/^image\/svg\+xml$/, "svg"],
  [/^image\/(png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/, "image"],
  [/^application\/pdf$/, "pdf"],
  [/^audio\//, "audio"],
  [/^video\//, "video"],
  [/^(text\/html|application\/xhtml\+xml)$/, "html"],
  [/^text\/(x-)?markdown$/, "markdown"],
  [/^(application|text)\/(json|[\w.-]+\+json)$/, "json"],
  [/^(text\/(csv|tab-separated-values)|application\/csv)$/, "csv"],
  [/^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet$/, "xlsx"],
  [
    /^(text|application)\/(x-)?(javascript|typescript|ecmascript|css|xml|yaml|toml|sql|python|sh|shellscript)$/,
    "code",
  ],
  [/^application\/(x-)?ndjson$|^application\/jsonl$/, "text"],
];

const byEnding: Readonly<Record<string, Kind>> = {
  ...same("image", "png jpg jpeg gif webp avif bmp ico"),
  ...same("svg", "svg"),
  ...same("pdf", "pdf"),
  ...same("audio", "mp3 m4a aac ogg oga opus wav flac weba"),
  ...same("video", "mp4 m4v webm ogv mov"),
  ...same("html", "html htm xhtml"),
  ...same("markdown", "md markdown mdx"),
  ...same("json", "json geojson ipynb webmanifest"),
  ...same("csv", "csv tsv tab"),
  ...same("xlsx", "xlsx xlsm"),
  ...same(
    "code",
    "js mjs cjs jsx ts tsx css scss less xml yaml yml toml ini conf env sql py rb rs go java kt swift c h cc cpp hpp cs php lua r pl sh bash zsh ps1 dockerfile makefile tex vue svelte graphql proto diff patch",
  ),
  ...same("text", "txt text log rtf srt vtt ics eml ndjson jsonl"),
};

function same(kind: Kind, endings: string): Record<string, Kind> {
  return Object.fromEntries(endings.split(" ").map((ending) => [ending, kind]));
}

/** A media type without its parameters, in small letters; null where it says nothing. */
function plainType(mediaType: string | null | undefined): string | null {
  const plain = mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return plain === "" || plain === "application/octet-stream" || plain === "binary/octet-stream"
    ? null
    : plain;
}

/** The ending of a file name in small letters, "" for none. */
function endingOf(filename: string | null | undefined): string {
  // Marks that turn the reading direction are no letters of an ending (C-08).
  const name = (filename ?? "").replaceAll(/[\p{Cc}\p{Cf}]/gu, "");
  return /\.([^./\\]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? name.toLowerCase();
}

/**
 * How a file is looked at: by its media type, and by its name where that says nothing or only "text". Whatever is
 * claimed, each way of looking is safe for any bytes (C-10).
 */
export function kindOf(filename: string | null | undefined, mediaType: string | null | undefined): Kind {
  const type = plainType(mediaType);
  const named = Object.hasOwn(byEnding, endingOf(filename)) ? byEnding[endingOf(filename)] : undefined;
  if (type === null) return named ?? "none";
  const typed = byType.find(([pattern]) => pattern.test(type))?.[1];
  if (typed) return typed;
  if (!type.startsWith("text/")) return "none";
  // What is looked at byte by byte needs no type; what the browser itself shows does.
  const isRead = named && ["markdown", "json", "csv", "code", "text", "pdf", "xlsx"].includes(named);
  return isRead ? named : "text";
}

/** What a list says that a file is. */
export type TypeWord =
  | ("text" | "table" | "JSON" | "page" | "PDF" | "picture" | "sound" | "film" | "code")
  | ("archive" | "document" | "other" | "unknown");

const words: Readonly<Record<Exclude<Kind, "none">, TypeWord>> = {
  image: "picture",
  svg: "picture",
  pdf: "PDF",
  audio: "sound",
  video: "film",
  html: "page",
  markdown: "text",
  text: "text",
  json: "JSON",
  csv: "table",
  xlsx: "table",
  code: "code",
};

/** All words of `typeWord`, in the order of the filter. */
export const typeWords: readonly TypeWord[] = [
  ...(["text", "table", "JSON", "page", "PDF", "picture", "sound", "film", "code"] as const),
  ...(["archive", "document", "other", "unknown"] as const),
];

/** What a file is, in one word. */
export function typeWord(
  filename: string | null | undefined,
  mediaType: string | null | undefined,
): TypeWord {
  const kind = kindOf(filename, mediaType);
  // A name may be wrong, and so may the type; of bytes that nobody read, what the service says of them is told.
  if ((kind === "pdf" || kind === "xlsx") && /^text\//i.test(mediaType ?? "")) return "text";
  if (kind !== "none") return words[kind];
  const said = `${plainType(mediaType) ?? ""} .${endingOf(filename)}`;
  if (/zip|\btar\b|gzip|\.(7z|rar|gz|bz2|xz|zst|tgz)\b/.test(said)) return "archive";
  if (/msword|officedocument|opendocument|\.(docx?|odt|pptx?|odp|xls|ods|pages)\b/.test(said))
    return "document";
  return plainType(mediaType) === null ? "unknown" : "other";
}
