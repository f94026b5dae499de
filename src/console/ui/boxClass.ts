/** The box of everything that is typed into. */
export const boxClass =
  "w-full min-w-0 rounded-control border border-line-strong bg-surface text-control text-default focus-inset focus-visible:border-focus aria-invalid:border-state-failed-mark aria-disabled:bg-surface-sunken aria-disabled:text-muted";
