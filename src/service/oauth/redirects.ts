/** A device's own addresses, where a program that runs on it may listen on any port (RFC 8252 §7.3). */
const ofDevice = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?((?:\/[^#]*)?)$/;
/** An app's own scheme is a domain name backwards (RFC 8252 §7.1), so it has a dot; `javascript:` and `data:` have none. */
const ofApp = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/{0,3}[^/]/;

const longest = 2_000;

/**
 * Whether programs may be answered at this address. Only what is read the same by everything that reads it: no user name, no
 * fragment, no white space, no backslash, no wildcard.
 */
export function isRedirect(uri: string): boolean {
  if (uri.length > longest || !/^[!-~]+$/.test(uri) || /[\\#*<>"]/.test(uri) || !URL.canParse(uri))
    return false;
  if (isOfDevice(uri)) return true;
  if (!uri.startsWith("https://")) return ofApp.test(uri);
  const url = new URL(uri);
  if (url.username !== "" || url.password !== "" || url.hostname === "") return false;
  // Written as browsers would write it, so that comparing texts compares addresses.
  return url.href === uri || url.href === `${uri}/`;
}

/** Whether an address is on the device of whoever opens it, with a port that there can be. */
export function isOfDevice(uri: string): boolean {
  const found = ofDevice.exec(uri);
  return found !== null && Number(found[2] ?? 80) <= 65_535;
}

/** Whether a program with these addresses is answered at this one: the same text, but for the port on its own device. */
export function matchesRedirect(known: readonly string[], asked: string): boolean {
  if (!isRedirect(asked)) return false;
  const without = withoutPort(asked);
  return known.some((uri) => uri === asked || (without !== null && withoutPort(uri) === without));
}

function withoutPort(uri: string): string | null {
  const found = isOfDevice(uri) ? ofDevice.exec(uri) : null;
  return found === null ? null : `${found[1]}${found[3]}`;
}

/** Where an answer goes, for people: a host, `this device`, or the scheme of an app. */
export function placeOfRedirect(uri: string): string {
  if (isOfDevice(uri)) return "this device";
  const { protocol, host } = new URL(uri);
  return protocol === "https:" ? host : protocol.slice(0, -1);
}

/** The address with an answer in its query, as RFC 9207 wants it: with who answers. */
export function redirectWith(uri: string, issuer: string, answer: Readonly<Record<string, string | null>>) {
  const url = new URL(uri);
  for (const [name, value] of Object.entries({ ...answer, iss: issuer }))
    if (value !== null) url.searchParams.append(name, value);
  return url.href;
}
