// What joins two pictures to one, a family or a flag, is seen by what it does.
const invisible =
  /(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D\p{Extended_Pictographic})[\p{Cc}\p{Cf}]/gu;

/**
 * A name as it may be shown: characters that cannot be seen or that turn the reading direction become marks, so that
 * `gpj.exe` is not read as a picture (C-08).
 */
export function shownName(name: string): string {
  return name.replaceAll(
    invisible,
    (one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** What a conversation was started via, as people write it; a kind that we do not know as it came. */
export const startedVia = (type: string): string => (type === "api" ? "API" : shownName(type));
