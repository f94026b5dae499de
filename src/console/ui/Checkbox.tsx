import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";
import { type ComponentProps, type ReactNode, useId } from "react";

// One that is `disabled` while it has the focus would lose it: `aria-disabled` keeps it as it is.
type Props = Omit<ComponentProps<"input">, "type" | "children" | "className" | "disabled"> & {
  /** Some, but not all, of what it stands for. */
  isPartial?: boolean;
} & ({ label: ReactNode; "aria-label"?: never } | { label?: never; "aria-label": string });

/** A box to tick, with its words at the right, or (in a table) with a name that is only read aloud. */
export function Checkbox({ label, isPartial = false, ...rest }: Props) {
  const ownId = useId();
  const id = rest.id ?? ownId;
  const box = (
    <span className="relative inline-flex size-3.5 shrink-0 align-middle">
      <input
        {...rest}
        id={id}
        type="checkbox"
        onChange={(event) => rest["aria-disabled"] || rest.onChange?.(event)}
        ref={(element) => {
          if (element) element.indeterminate = isPartial;
        }}
        className="peer hit size-3.5 appearance-none rounded-mark border border-line-check bg-surface-raised checked:border-accent-solid checked:bg-accent-solid indeterminate:border-accent-solid indeterminate:bg-accent-solid aria-disabled:bg-surface-sunken"
      />
      {isPartial ? (
        <Minus className={markClass} />
      ) : (
        <Check className={`${markClass} hidden peer-checked:block peer-aria-disabled:text-faint`} />
      )}
    </span>
  );
  if (label === undefined) return box;
  return (
    <label htmlFor={id} className="inline-flex items-center gap-2">
      {box}
      <span>{label}</span>
    </label>
  );
}

const markClass = "pointer-events-none absolute inset-[2px] size-2.5! stroke-3! text-on-accent";
