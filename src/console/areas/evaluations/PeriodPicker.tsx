import { useState } from "react";
import { counted } from "../../lib/words.ts";
import { Input } from "../../ui/Input.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { longestPeriod } from "./search.ts";

const usual = [7, 30, 90].map((days) => ({ value: String(days), label: `${days} days` }));

/** What results are narrowed to by another period than the usual one. */
export const periodWords = (days: number | undefined) => days !== undefined && `last ${counted(days, "day")}`;

/** The last so many days: one of the usual periods, or any number from 1 to 365. */
export function PeriodPicker({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Segmented
        label="Period"
        value={String(days)}
        options={usual}
        onChange={(value) => onChange(Number(value))}
      />
      <DaysInput days={days} onChange={onChange} />
      <span aria-hidden="true" className="text-muted text-secondary">
        days
      </span>
    </span>
  );
}

/** The number itself; it is taken with Enter or on leaving the field, and only where it is a period. */
function DaysInput({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  const [typed, setTyped] = useState(String(days));
  const [seen, setSeen] = useState(days);
  if (seen !== days) {
    setSeen(days);
    setTyped(String(days));
  }
  const wanted = /^\d+$/.test(typed) ? Number(typed) : 0;
  const isPeriod = wanted >= 1 && wanted <= longestPeriod;
  const take = () => isPeriod && wanted !== days && onChange(wanted);
  return (
    <Input
      type="number"
      aria-label="Days"
      title={`1 to ${longestPeriod} days`}
      min={1}
      max={longestPeriod}
      value={typed}
      aria-invalid={!isPeriod}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === "Enter" && take()}
      className="h-control-small! w-[68px]! tabular-nums"
    />
  );
}
