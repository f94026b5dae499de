import { NativeSelect } from "../../ui/Field.tsx";

type SelectProps = {
  label: string;
  value: string | undefined;
  /** Values with their words, in their order. */
  options: readonly (readonly [value: string, words: string])[];
  /** An empty value comes as undefined. */
  onChange: (value: string | undefined) => void;
  className?: string;
};

/** Chooses one of a few in the line over a list. */
export function ListSelect({ label, value = "", options, onChange, className }: SelectProps) {
  return (
    <NativeSelect
      look="small"
      aria-label={label}
      {...(className !== undefined && { className })}
      value={value}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </NativeSelect>
  );
}
