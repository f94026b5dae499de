/** What a terminal takes as an order, or that makes a text look as if it stood elsewhere. */
const orders = /[\p{Cc}\p{Bidi_Control}]/gu;
/** Also what begins another line. */
const breaks = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** A text of several lines at most, whatever people and servers have written into it, as a terminal may show it. */
export const printable = (text: string): string =>
  text.replaceAll(orders, (sign) => (sign === "\n" || sign === "\t" ? sign : escaped(sign)));

/** The same for what is a part of a line, such as a name. */
export const onOneLine = (text: string): string => text.replaceAll(breaks, escaped);

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
