import { createContext, use } from "react";

/** What a Field tells the control inside it. */
export type FieldWiring = {
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
