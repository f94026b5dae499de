const turning = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g;

/** A text in which characters that turn the reading direction are marks, so that it reads as it is stored (C-08). */
export const shownInvisible = (text: string): string =>
  text.replaceAll(
    turning,
    (one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
