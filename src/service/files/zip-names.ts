const maxNameLength = 200;
/** Names that are devices on Windows, whatever their ending is. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Names for the entries of a zip, one for each given name in the same order: without folders, safe on every system, and
 * unique also where upper and lower case or two spellings of one character are the same.
 */
export function zipNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = plainName(name);
    const dot = plain.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ""];
    let unique = plain;
    for (let number = 2; taken.has(folded(unique)); number++) unique = `${stem} (${number})${ending}`;
    taken.add(folded(unique));
    return unique;
  });
}

function plainName(name: string): string {
  const last = name.normalize("NFC").split(/[/\\]/).pop() ?? "";
  const safe = last
    .replaceAll(/\p{Surrogate}/gu, "_")
    .replaceAll(/[\p{Cc}\p{Bidi_Control}<>:"|?*]/gu, "_")
    .replaceAll(/^[.\s]+|[.\s]+$/g, "");
  const cut = cutToBytes(safe, maxNameLength);
  if (cut === "") return "file";
  return device.test(cut) ? `_${cut}` : cut;
}

/** Keeps the ending where there is one. */
function cutToBytes(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? "";
  let stem = [...name.slice(0, name.length - ending.length)];
  while (Buffer.byteLength(stem.join("") + ending) > bytes) stem = stem.slice(0, -1);
  return stem.join("") + ending;
}

/** Upper case first: some letters are the same only there. */
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}
