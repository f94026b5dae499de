import { useState } from "react";
import { plainLinkClass } from "../../ui/linkClass.ts";
import { useMarkdown } from "./MarkdownProvider.tsx";
import { MarkdownTree } from "./MarkdownTree.tsx";
import { type Find, Marked, noFind } from "./Marked.tsx";
import { isPlain, paragraphsOf } from "./plain.ts";

/** More than this of a plain text is shown only when asked for. */
const shownAtOnce = 20_000;
const step = 100_000;

/** Somebody else's words as markdown: no HTML, no pictures from elsewhere, no addresses but http and https. */
export function MarkdownText({ text, find = noFind }: { text: string; find?: Find }) {
  const isSimple = isPlain(text);
  const result = useMarkdown(isSimple ? null : text);
  if (isSimple) {
    return (
      <div dir="auto" className="whitespace-pre-line break-words">
        {paragraphsOf(text).map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one text never move
          <p key={at} className="my-1.5 first:mt-0 last:mb-0">
            <Marked text={one} find={find} />
          </p>
        ))}
      </div>
    );
  }
  if (result?.kind === "tree") {
    return (
      <div dir="auto" className="break-words">
        <MarkdownTree nodes={result.nodes} find={find} />
      </div>
    );
  }
  return (
    <>
      <PlainText text={text} find={find} />
      {result && result.why !== "no reader" && (
        <p className="pt-1 text-faint text-secondary">
          {result.why === "long"
            ? "Shown as it was written: it is too long to be laid out."
            : "Shown as it was written: laying it out takes too long."}
        </p>
      )}
    </>
  );
}

/** A text as it is, with its lines; a long one in pieces. */
export function PlainText({ text, find = noFind }: { text: string; find?: Find }) {
  const [shown, setShown] = useState(shownAtOnce);
  const rest = text.length - shown;
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap break-words">
        <Marked text={rest > 0 ? text.slice(0, shown) : text} find={find} />
      </p>
      {rest > 0 && (
        <p className="pt-1 text-muted text-secondary">
          {rest.toLocaleString("en-GB")} more characters.{" "}
          <button type="button" className={plainLinkClass} onClick={() => setShown(shown + step)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
