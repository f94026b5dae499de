import ipaddr from "ipaddr.js";
import { isCloudAddress, isInnerCloudAddress } from "./cloud-addresses.ts";

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is one of the public internet. Everything else (private, loopback, link-local, carrier NAT,
 * multicast, documentation, tunnels and translations that can reach inside, unspecified) is refused, and so is what a cloud
 * keeps for itself.
 * @param address as a socket reports it; a zone (`%eth0`) makes it local
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // IPv4 inside IPv6 (::ffff:127.0.0.1) is judged as what it is.
  const parsed = ipaddr.process(address);
  // Of IPv6 only 2000::/3 is given out; ::7f00:1 and the like are in no range that the library knows.
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return parsed.range() === "unicast" && !isCloudAddress(parsed);
}

/**
 * Whether an address may be behind a name that the operator wrote: a public one, or one of their own network or machine.
 * Link-local addresses and what clouds keep for themselves may not, as whoever runs the name's DNS chooses among them; nor,
 * of IPv6, what hides another address.
 * @param address as a socket reports it
 */
export function mayBeNamed(address: string): boolean {
  if (isPublicAddress(address)) return true;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  // A network without IPv4 reaches the internet so (NAT64): the address is the one in its last bytes.
  if (parsed instanceof ipaddr.IPv6 && range === "rfc6052")
    return mayBeNamed(ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString());
  if (range === "linkLocal" || isCloudAddress(parsed) || isInnerCloudAddress(parsed)) return false;
  return parsed instanceof ipaddr.IPv4 || range === "uniqueLocal" || range === "loopback";
}

/** The host of a URL without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** Whether the host is an IP address itself, so that nothing is looked up. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host);
}
