import ipaddr from "ipaddr.js";

/**
 * The network that an address belongs to: an IPv4 address is one, of IPv6 the first 64 bits, as anybody who has one has
 * all of them.
 * @param address of the socket, never of a header
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  if (!ipaddr.isValid(plain)) return "unknown";
  const parsed = ipaddr.process(plain);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")}/64`;
}

/** Of an IPv6 network, the first 48 bits: what one customer of a provider often has. @returns null for all others */
export function siteOf(network: string): string | null {
  return network.endsWith("/64") ? `${network.slice(0, 12)}/48` : null;
}
