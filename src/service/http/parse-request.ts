import type * as z from "zod/mini";
import type { Endpoint } from "../../contract/define.ts";
import { type RequestPart, requestError } from "../../contract/problems.ts";
import { ServiceError } from "../service-error.ts";

/**
 * One part of a request through the endpoint's schema; undefined where the endpoint has no such part.
 * @throws ServiceError of the first fault, naming the field: the interface's own code where it has one (§7.1), else
 * `invalid_body`, `invalid_page_size`, `invalid_sort`, `invalid_cursor` or `invalid_parameter` (400)
 */
export function parsePart(endpoint: Endpoint, part: RequestPart, value: unknown): unknown {
  const schema: z.ZodMiniType | null = endpoint[part];
  if (schema === null) return undefined;
  // Without the library's own sentences, which other modules of this process may have switched on.
  const result = schema.safeParse(value, { error: () => "Invalid input" });
  if (result.success) return result.data;
  const { code, ...facts } = requestError(endpoint, part, result.error.issues, value);
  throw new ServiceError(code, facts);
}
