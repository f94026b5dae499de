/** Hands bytes to the browser's own saving, under a file name. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** A size in bytes as `18.2 kB`, `6.4 MB`. */
export function formatSize(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return "unknown size";
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let at = 0;
  for (; value >= 999.95 && at < units.length - 1; at++) value /= 1000;
  return `${value.toFixed(1)} ${units[at]}`;
}
