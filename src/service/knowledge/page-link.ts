/** What a link to a file of a source needs. */
interface LinkedPage {
  readonly sourceId: string;
  readonly fileId: string;
  /** From 1; null where the file has no pages. */
  readonly page: number | null;
}

/** The console's page that shows a file of a source, opened at a page: good for as long as the file is there. */
export function pageLink(publicUrl: string, { sourceId, fileId, page }: LinkedPage): string {
  const query = new URLSearchParams({ file: fileId, ...(page === null ? {} : { page: String(page) }) });
  return `${publicUrl}/knowledge/${encodeURIComponent(sourceId)}?${query}`;
}
