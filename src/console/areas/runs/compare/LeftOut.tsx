/** Says how much of a long text is not shown; nothing where all of it is. */
export function LeftOut({ count }: { count: number }) {
  if (count === 0) return null;
  const characters = count === 1 ? "1 character" : `${count.toLocaleString("en-GB")} characters`;
  return <span className="font-normal font-text text-muted text-secondary"> … {characters} … </span>;
}
