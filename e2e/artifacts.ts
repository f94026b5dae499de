import { sendMessage, turnEnds } from "./conversations.ts";
import type { Service } from "./service.ts";

/** A file for an agent to write. */
export interface FileToWrite {
  readonly name: string;
  readonly content: string;
}

/** Lets the sample's scribe write files, each call a turn of one conversation. @returns the conversation's id */
export async function writeFiles(
  service: Service,
  files: readonly FileToWrite[],
  interactionId?: string,
): Promise<string> {
  const lines = files.map(({ name, content }) => `/write_file ${JSON.stringify({ name, content })}`);
  const id = await sendMessage(service, "agent_scribe", lines.join("\n"), interactionId);
  await turnEnds(service, id);
  return id;
}

/** What the tests read of an artifact (§2.3). */
export interface ListedArtifact {
  readonly id: string;
  readonly filename: string;
  readonly url: string;
  readonly metadata: { readonly media_type: string; readonly size: number };
}

/** The artifacts of a conversation, by name. */
export async function artifactsOf(
  service: Service,
  interactionId: string,
): Promise<ReadonlyMap<string, ListedArtifact>> {
  const answer = await service.request("GET", `/artifacts?session_id=${interactionId}&page_size=100`);
  const { artifacts }: { artifacts: ListedArtifact[] } = await answer.json();
  return new Map(artifacts.map((one) => [one.filename, one]));
}

/** A PDF of plain letters with these pages, one line each. */
export function pdfOf(pages: readonly string[]): string {
  const objects: string[] = [];
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(" ");
  objects.push("<< /Type /Catalog /Pages 2 0 R >>");
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  pages.forEach((text, at) => {
    const stream = `BT /F1 22 Tf 60 760 Td (${text.replaceAll(/[()\\]/g, "\\$&")}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  });
  let body = "%PDF-1.4\n";
  const offsets: number[] = [];
  objects.forEach((object, at) => {
    offsets.push(body.length);
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}
