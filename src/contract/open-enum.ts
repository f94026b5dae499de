import * as z from "zod/mini";

/** A known value, or any other string: completion without a lie. */
export type Open<V extends string> = V | (string & Record<never, never>);

const knownValues = new WeakMap<z.core.$ZodType, readonly string[]>();

/**
 * A string of which some values are known and any other is kept as it came (the known values of §2).
 * @param known the values that the interface or its public documentation names
 */
/* @__NO_SIDE_EFFECTS__ */
export function openEnum<const V extends readonly string[]>(known: V): z.ZodMiniType<Open<V[number]>> {
  const schema = z.string();
  knownValues.set(schema, known);
  return schema;
}

/** The known values of a schema made by `openEnum`, or undefined for any other schema. For documents and forms. */
export function knownOf(schema: z.core.$ZodType): readonly string[] | undefined {
  return knownValues.get(schema);
}
