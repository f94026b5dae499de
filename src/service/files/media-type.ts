/** Of what is written as text, by the ending of the name. What is not here is plain text, also scripts and styles. */
const ofText: Readonly<Record<string, string>> = {
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  json: "application/json",
  markdown: "text/markdown",
  md: "text/markdown",
  svg: "image/svg+xml",
  tsv: "text/tab-separated-values",
  xhtml: "text/html",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

/** The media type of a PDF, whoever wrote it. */
export const pdfType = "application/pdf";

/** The ending of a file name in small letters, without its dot; "" for none. */
export function endingOf(name: string): string {
  return name.includes(".") ? (name.split(".").at(-1) ?? "").toLowerCase() : "";
}

/**
 * The media type of a text of which agents, flows and people made a file. A name promises nothing: what is called
 * `report.pdf`, `table.xlsx` or `photo.png` and holds words is plain text, because whoever opens it as what it is called
 * gets an error instead of the words. A PDF can be written as text; it is one where it begins as one.
 */
export function mediaTypeOfText(name: string, content: string): string {
  const ending = endingOf(name);
  if (ending === "pdf" && content.startsWith("%PDF-")) return pdfType;
  return (Object.hasOwn(ofText, ending) ? ofText[ending] : undefined) ?? "text/plain";
}
