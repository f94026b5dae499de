/** The mark: a ship's wheel, in the accent. The same drawing as public/icon.svg. */
export function BrandMark() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      className="shrink-0 stroke-accent-solid"
      aria-hidden="true"
    >
      <circle cx="10" cy="10" r="5.2" />
      <path d="M10 1.6v3.2M10 15.2v3.2M1.6 10h3.2M15.2 10h3.2M4.06 4.06l2.27 2.27M13.67 13.67l2.27 2.27M4.06 15.94l2.27-2.27M13.67 6.33l2.27-2.27" />
      <circle cx="10" cy="10" r="1.4" className="fill-accent-solid stroke-none" />
    </svg>
  );
}

/** Mark and name, at the head of the sidebar and of the pages without a frame. */
export function Brand() {
  return (
    <span className="flex items-center gap-2">
      <BrandMark />
      <span className="text-[14px] font-semibold tracking-heading leading-[22px] sm:max-lg:in-data-sidebar:sr-only">
        Wheelhouse
      </span>
    </span>
  );
}
