import * as z from "zod/mini";

/**
 * The building blocks of every schema. Query values arrive as text and leave typed; responses carry no transforms,
 * so that what is parsed and what was sent are the same.
 */

/** A non-empty string in a request: an id, a name. */
export const text = z.string().check(z.minLength(1, "must not be empty"));

/** A non-empty string that may also be null or absent in a request; null means absent. */
export const maybeText = z.nullish(text);

/** Any JSON value, where the interface gives no shape (an output, a tool's arguments). */
export const json = z.unknown();

/** Any JSON object, where the interface gives no shape (metadata, a tool's input schema). */
export const jsonObject = z.record(z.string(), z.unknown());

/** A count or size: a whole number from 0. */
export const count = z.int().check(z.minimum(0));

/** Times in responses are strings as sent. `…_ts`: ISO 8601 with UTC offset, `2026-11-20T08:15:04.123+00:00`. */
export const timestamp = z.string();

/** `…_at`: ISO 8601 in UTC, `2026-11-20T08:15:04.123Z`. */
export const utcTime = z.string();

const digits = z.string().check(z.regex(/^[+-]?\d{1,15}$/, "must be a whole number"));

/**
 * Query text to a whole number within limits; anything else is an issue.
 * @param minimum and maximum are inclusive
 */
/* @__NO_SIDE_EFFECTS__ */
export function integer(minimum: number, maximum: number) {
  return z.pipe(z.pipe(digits, z.transform(Number)), z.int().check(z.minimum(minimum), z.maximum(maximum)));
}

/**
 * Query text to a whole number; one outside the limits becomes the nearest limit (§8), text that is no number is an issue.
 * @param minimum and maximum are inclusive
 */
/* @__NO_SIDE_EFFECTS__ */
export function clampedInteger(minimum: number, maximum: number) {
  const clamp = (value: string) => Math.min(maximum, Math.max(minimum, Number(value)));
  return z.pipe(z.pipe(digits, z.transform(clamp)), z.int().check(z.minimum(minimum), z.maximum(maximum)));
}

/** Query text `true` or `false` (also `1`, `0`) to a boolean. */
export const flag = z.pipe(
  z.pipe(
    z.string().check(z.regex(/^(true|false|1|0)$/, "must be true or false")),
    z.transform((value: string) => value === "true" || value === "1"),
  ),
  z.boolean(),
);

const isoWithZone = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** A time on the way in: any ISO 8601 date and time with a zone, microseconds allowed. It stays text. */
export const time = z.string().check(
  z.refine((value) => isoWithZone.test(value) && !Number.isNaN(Date.parse(value.replace(" ", "T"))), {
    error: "must be an ISO 8601 time with a zone, such as 2026-11-20T08:15:04Z",
  }),
);

/** Several values in one query parameter, separated by commas, such as `state=RUNNING,FAILED`. It stays text. */
export const commaList = z
  .string()
  .check(z.regex(/^[^,\s]+(,[^,\s]+)*$/, "must be values separated by commas"));

/** The headers of a call that starts something: with the same key the same request starts it once. */
export const idempotency = z.object({
  "Idempotency-Key": z.optional(
    z.string().check(z.regex(/^[!-~]{1,255}$/, "must be 1 to 255 printable characters without spaces")),
  ),
});

/** How lists are ordered; anything else is `invalid_sort`. */
export const sortOrder = z.enum(["newest", "oldest", "name_asc", "name_desc"]);

/** `page_size` of a list that refuses what is out of range with `invalid_page_size`, and its cursor. */
export const page = { page_size: z.optional(integer(1, 100)), cursor: z.optional(text) };

/** `next_cursor` of every list: opaque, null at the end. */
export const nextCursor = z.nullable(z.string());

/** A team (workspace) of the caller; its id is what `project_id` and `team_id` take. */
export const team = z.object({ id: z.string(), name: z.string() });
export type Team = z.output<typeof team>;

/** A person as lists show them. Every field but the id may be null. */
export const person = z.object({
  id: z.string(),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  profile_picture: z.optional(z.nullable(z.string())),
});
