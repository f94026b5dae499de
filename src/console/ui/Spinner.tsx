/** The turning arc, 14 px, in the colour of what runs. Stands still under reduced motion. Silent: the text beside it speaks. */
export function Spinner() {
  return (
    <svg
      viewBox="0 0 14 14"
      width="14"
      height="14"
      fill="none"
      strokeWidth="2"
      className="turning shrink-0"
      aria-hidden="true"
    >
      <circle cx="7" cy="7" r="5.25" className="stroke-state-running-line" />
      <path d="M7 1.75A5.25 5.25 0 0 1 12.25 7" className="stroke-state-running-mark" />
    </svg>
  );
}
