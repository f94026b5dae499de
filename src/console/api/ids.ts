/**
 * A new id, unguessable: 22 characters of 128 random bits. `crypto.randomUUID` is missing on pages served over plain
 * HTTP from another machine, so it is not used.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
