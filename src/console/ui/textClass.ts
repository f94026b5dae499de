/** The look of a link in running text or at the end of a section's head: `<Link className={linkClass}>`. */
export const linkClass = "rounded-tag font-medium text-accent hover:text-accent-hover";

/** A link that stands in a sentence without the accent: underlined, in the colour of the sentence. */
export const plainLinkClass =
  "rounded-tag underline decoration-line-strong underline-offset-2 hover:text-default";

/**
 * Facts in one line with dots between them. Where the line wraps, the dot before the first fact of the next line is cut
 * off with that of the first: each fact brings its dot, and the line is moved by a dot's width to the left.
 */
export const dottedClass =
  "-ml-5 flex flex-wrap items-center [clip-path:inset(-8px_-8px_-8px_20px)] [&>*]:before:inline-block [&>*]:before:w-5 [&>*]:before:shrink-0 [&>*]:before:text-center [&>*]:before:content-['·']";
