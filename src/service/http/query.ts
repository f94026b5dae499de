import { isSoundText } from "../json.ts";
import { ServiceError } from "../service-error.ts";

/**
 * The query as text by name. A name that comes twice is refused, known or not: two readers could read it differently.
 * @throws ServiceError `invalid_parameter` (400) naming it
 */
export function readQuery(search: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of search) {
    if (name in query) {
      throw new ServiceError("invalid_parameter", {
        message: `${shown(name)} is given more than once.`,
        param: name,
      });
    }
    checkText(value, name);
    checkText(name, name);
    query[name] = value;
  }
  return query;
}

/** The database keeps neither NUL nor half of a surrogate pair. */
export function checkText(value: string, param: string): void {
  if (!isSoundText(value)) {
    throw new ServiceError("invalid_parameter", {
      message: `${shown(param)} holds a character that cannot be kept.`,
      param,
    });
  }
}

/** A parameter's name in a sentence; names come from outside. */
function shown(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : "A parameter";
}
