type Part = string | false | null | undefined;

/**
 * What a list is called in the browser's tab. What it is narrowed to stands first: a tab has room for little more.
 * @param words what is looked for, as it was typed
 */
export const narrowedTitle = (name: string, words: string | undefined, ...chosen: readonly Part[]): string =>
  [words && `“${words.slice(0, 60)}”`, ...chosen, name].filter(Boolean).join(" · ");
