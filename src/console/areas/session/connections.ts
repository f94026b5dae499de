import * as z from "zod/mini";

/** A service that this page may talk to, named by whoever started the process. An address can never be typed. */
export interface OfferedConnection {
  readonly name: string;
  /** Below the page's origin, ends with `/api/v1`; also its identity. */
  readonly path: string;
  readonly kind: "own" | "upstream";
}

const offered = z.object({
  name: z.string().check(z.minLength(1)),
  path: z.string().check(z.regex(/^\/(?!\/)[\w\-./%]*\/?api\/v1$/)),
  kind: z.enum(["own", "upstream"]),
});

const fallback: readonly OfferedConnection[] = [{ name: "Wheelhouse", path: "/api/v1", kind: "own" }];

/**
 * The connections that the page's process offers, from `<meta name="wheelhouse-connections">`. Entries that are not of
 * the expected form, or that would leave the origin, are left out; without any the process itself is offered.
 */
export function readConnections(document: ParentNode): readonly OfferedConnection[] {
  const content = document.querySelector('meta[name="wheelhouse-connections"]')?.getAttribute("content");
  try {
    const list: unknown = JSON.parse(content ?? "");
    const found = (Array.isArray(list) ? list : []).flatMap((one) => {
      const parsed = offered.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    });
    return found.length > 0 ? found : fallback;
  } catch {
    return fallback;
  }
}
