/** The look of a link in running text or at the end of a section's head: `<Link className={linkClass}>`. */
export const linkClass = "rounded-tag font-medium text-accent hover:text-accent-hover";

/** A link that stands in a sentence without the accent: underlined, in the colour of the sentence. */
export const plainLinkClass =
  "rounded-tag underline decoration-line-strong underline-offset-2 hover:text-default";
