import type { Cookie } from "../areas/handler.ts";

/** The cookies of a request, by name; of several with one name the last. */
export function readCookies(header: string): Map<string, string> {
  const pairs = header.split(";").map((pair) => pair.trim().split("=", 2));
  return new Map(pairs.flatMap(([name, value]) => (name && value !== undefined ? [[name, value]] : [])));
}

/** A cookie as `Set-Cookie` has it: no script sees it, and no request that another site's page makes carries it. */
export function cookieText(
  { name, value, path, maxAgeSeconds }: Cookie,
  { publicUrl }: { readonly publicUrl: string },
): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
