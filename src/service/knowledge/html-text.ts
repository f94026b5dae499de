import { Parser } from "htmlparser2";

/** What stands in these is not for reading. */
const unread = new Set([
  ...[
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "math",
    "iframe",
    "object",
    "head",
    "title",
    "textarea",
    "select",
  ],
]);

/** These begin and end a paragraph. */
const blocks = new Set([
  ...["address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt", "fieldset"],
  ...[
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
  ],
  ...["section", "summary", "table", "ul"],
]);

/** These begin a line. */
const lines = new Set(["br", "tr"]);
const cells = new Set(["td", "th"]);
const maxNesting = 20_000;
const headings = /^h([1-6])$/;

/**
 * The text of an HTML page that people read, headings as lines that begin with #. Nothing in it runs, and nothing that
 * it names is fetched.
 */
export function htmlText(html: string): string {
  const parts: string[] = [];
  let hidden = 0;
  let preformatted = 0;
  let depth = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        // The parser takes a moment for each level, at each level.
        if (++depth > maxNesting) throw new Error("its elements are nested too deep");
        if (unread.has(name)) hidden++;
        if (hidden > 0) return;
        const [, level] = headings.exec(name) ?? [];
        if (level !== undefined) parts.push(`\n\n${"#".repeat(Number(level))} `);
        else if (blocks.has(name)) parts.push("\n\n");
        else if (lines.has(name)) parts.push("\n");
        else if (cells.has(name)) parts.push(" ");
        if (name === "pre") preformatted++;
      },
      ontext(text) {
        if (hidden > 0) return;
        parts.push(preformatted > 0 ? text : text.replaceAll(/[\t\n\f\r ]+/g, " "));
      },
      onclosetag(name) {
        depth--;
        if (unread.has(name)) hidden = Math.max(0, hidden - 1);
        if (hidden > 0) return;
        if (headings.test(name) || blocks.has(name)) parts.push("\n\n");
        if (name === "pre") preformatted = Math.max(0, preformatted - 1);
      },
    },
    { decodeEntities: true, recognizeSelfClosing: true },
  );
  parser.end(html);
  return tidy(parts.join(""));
}

/** Lines without spaces around them, and never more than one blank line. */
function tidy(text: string): string {
  const kept: string[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line !== "" || kept.at(-1) !== "") kept.push(line);
  }
  return kept.join("\n").trim();
}
