/** Such as `1 file` and `2 files`. */
export const countText = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
