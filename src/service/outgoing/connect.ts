import { lookup as systemLookup } from "node:dns/promises";
import { buildConnector } from "undici";
import { bareHost, isAddress, isPublicAddress, mayBeNamed } from "./addresses.ts";
import { isCloudName } from "./cloud-addresses.ts";
import { OutgoingError } from "./outgoing-error.ts";

/** Finds the addresses of a name. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/**
 * The connector of the guarded client: it looks the name up once, checks every address that came back, connects to one
 * of exactly these, and looks at the socket again. What was checked is what is connected to, so a name that changes its
 * address in between gains nothing.
 * @param allowPrivate `host:port` pairs that the operator allows although they are not public; link-local addresses and those
 *   that clouds keep for themselves only where such an address itself is the host
 */
export function guardedConnector(
  allowPrivate: ReadonlySet<string>,
  lookup: Lookup = lookupAll,
): buildConnector.connector {
  const connect = buildConnector({ timeout: 10_000, maxCachedSessions: 0 });

  return (options, callback) => {
    const host = bareHost(options.hostname).toLowerCase();
    const port = options.port || (options.protocol === "https:" ? "443" : "80");
    const allowed = allowPrivate.has(`${host.includes(":") ? `[${host}]` : host}:${port}`);
    const mayBe = !allowed ? isPublicAddress : isAddress(host) ? () => true : mayBeNamed;
    const refused = () => {
      return new OutgoingError(
        "refused",
        allowed
          ? `${host} leads to a link-local address or one that a cloud keeps for itself, so requests to it are not allowed`
          : `${host} is not a public address, so requests to it are not allowed`,
      );
    };
    const attempt = ([address, ...rest]: readonly string[]) => {
      if (address === undefined)
        return callback(new OutgoingError("unreachable", `${host} has no address`), null);
      connect({ ...options, hostname: address }, (error, socket) => {
        if (error) return rest.length > 0 ? attempt(rest) : callback(error, null);
        if (!mayBe(socket.remoteAddress ?? "")) {
          socket.destroy();
          return callback(refused(), null);
        }
        callback(null, socket);
      });
    };
    if (!allowed && isCloudName(host)) return callback(refused(), null);
    addressesOf(host, lookup).then(
      (addresses) => {
        if (!addresses.every(mayBe)) callback(refused(), null);
        else attempt(addresses);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function addressesOf(host: string, lookup: Lookup): Promise<readonly string[]> {
  return isAddress(host) ? [host] : lookup(host);
}

async function lookupAll(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true });
  return found.map(({ address }) => address);
}
