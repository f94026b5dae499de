/** Joins class names, leaving out what is false, null or empty. Later classes do not replace earlier ones. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
