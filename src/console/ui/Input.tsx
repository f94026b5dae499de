import { type ComponentProps, createContext, use } from "react";
import { boxClass } from "./boxClass.ts";
import { cx } from "./cx.ts";

type Props = ComponentProps<"input"> & {
  /** An id, a key, JSON: set in mono. */
  isMono?: boolean;
};

/** A line of text. Inside a Field it finds its label, hint and error by itself. */
export function Input({ isMono = false, className, type = "text", ...rest }: Props) {
  return (
    <input
      {...useFieldWiring()}
      {...rest}
      type={type}
      className={cx(boxClass, "h-control px-[9px]", isMono && "font-mono slashed-zero", className)}
    />
  );
}

/** What a Field tells the control inside it. */
type FieldWiring = {
  id: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
};

export const FieldContext = createContext<FieldWiring | null>(null);

/** The attributes that tie a control to its label, hint and error; nothing outside a Field. */
export function useFieldWiring(): {
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  "aria-required"?: true;
} {
  const field = use(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    ...(field.describedBy !== undefined && { "aria-describedby": field.describedBy }),
    ...(field.isInvalid && { "aria-invalid": true }),
    ...(field.isRequired && { "aria-required": true }),
  };
}
