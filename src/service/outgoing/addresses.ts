import ipaddr from "ipaddr.js";
import { isCloudAddress } from "./cloud-addresses.ts";

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

/** The host of a URL without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** Whether the host is an IP address itself, so that nothing is looked up. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host);
}
