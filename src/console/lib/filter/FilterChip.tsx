import { useState } from "react";
import { Chip } from "../../ui/Chip.tsx";
import { later } from "../../ui/later.ts";
import { LazyPart } from "../LazyPart.tsx";

const load = () => import("./FilterMenu.tsx");
const FilterMenu = later(load);

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

export interface FilterProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly FilterOption[];
  /** Whether they are shown by their labels, and not in the order given. */
  readonly isByLabel?: boolean;
  readonly onChange: (value: string | undefined) => void;
}

/** One filter of a list; its menu is loaded when it is first wanted. */
export function FilterChip(props: FilterProps) {
  const [isAsked, setAsked] = useState(false);
  const chip = (
    <Chip
      name={props.name}
      {...chipValue(props)}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onClick={() => setAsked(true)}
    />
  );
  if (!isAsked) return chip;
  return (
    <LazyPart fallback={chip}>
      <FilterMenu {...props} />
    </LazyPart>
  );
}

/** What the chip says is set, and how it is taken back; nothing while it is not set. */
export function chipValue({ value, options, onChange }: FilterProps) {
  if (value === undefined) return {};
  return {
    value: options.find((option) => option.value === value)?.label ?? value,
    onClear: () => onChange(undefined),
  };
}
