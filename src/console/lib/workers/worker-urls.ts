interface Policy {
  createScriptURL(url: string): unknown;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy;
}

/** Makes the addresses of our own workers usable under `require-trusted-types-for 'script'`. */
export type WorkerUrls = (url: string) => string | URL;

/**
 * The one Trusted Types policy, `wheelhouse`: it passes script addresses of this origin that were named by the build,
 * and nothing else. Built once per page; a browser without Trusted Types gets the address as it is.
 * @param own the addresses of our workers (`?worker&url`)
 * @throws TypeError for any other address
 */
export function workerUrls(window: Window & { trustedTypes?: unknown }, own: readonly string[]): WorkerUrls {
  const check = (url: string): string => {
    const { origin } = new URL(url, window.location.href);
    if (own.includes(url) && origin === window.location.origin) return url;
    throw new TypeError("Not a worker of this console");
  };
  const factory = window.trustedTypes as PolicyFactory | undefined;
  if (!factory) return check;
  const policy = factory.createPolicy("wheelhouse", { createScriptURL: check });
  return (url) => policy.createScriptURL(url) as string;
}
