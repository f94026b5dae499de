/** Lets the browser save what is at an address of this origin, which answers it as a file; no page is left for it. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.referrerPolicy = "no-referrer";
  link.click();
}
