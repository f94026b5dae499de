import { describe, expect, test } from "vitest";
import { outgoingTests } from "../../testing/outgoing.ts";
import { isPublicAddress } from "./addresses.ts";

const { serve, client, get } = outgoingTests();

/** An IPv4 address in every way in which it may be hidden in an address. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => value.toString(16);
  const octal = (value: number) => `0${value.toString(8)}`;
  const six = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  const inverted = `${hex((a * 256 + b) ^ 0xffff)}:${hex((c * 256 + d) ^ 0xffff)}`;
  return [
    ...[address, `${address}.`, `${a}.${b}.${c * 256 + d}`, `${a}.${(b * 256 + c) * 256 + d}`, `${number}`],
    ...[`0x${hex(number)}`, `0X${hex(number).toUpperCase()}`, `0${number.toString(8)}`],
    ...[[a, b, c, d].map(octal).join("."), [a, b, c, d].map((part) => `0x${hex(part)}`).join(".")],
    ...[`${octal(a)}.${b}.0x${hex(c)}.${d}`, `00000${octal(a)}.${b}.${c}.${d}`],
    // Percent-encoded, fullwidth, circled and other dots, as a URL reads them.
    ...[[...address].map((letter) => `%${hex(letter.charCodeAt(0))}`).join("")],
    ...[address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))],
    ...[address.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit)))],
    ...["\u3002", "\uff0e", "\uff61"].map((dot) => address.replaceAll(".", dot)),
    // In IPv6: mapped, compatible, translated, NAT64 of both prefixes, 6to4, Teredo plain and as it hides clients.
    ...[`[::ffff:${address}]`, `[::ffff:${six}]`, `[0:0:0:0:0:ffff:${six}]`, `[::${address}]`, `[::${six}]`],
    ...[`[::ffff:0:${six}]`, `[64:ff9b::${address}]`, `[64:ff9b::${six}]`, `[64:ff9b:1::${six}]`],
    ...[`[2002:${six}::]`, `[2002:${six}::1]`, `[2001:0:${six}::]`, `[2001::${inverted}]`],
    ...[`[::ffff:${six}%25eth0]`, `[fe80::1%25eth0]`, `user@${address}`, `user:pw@${address}`],
  ];
}

describe("S-85 an address that a cloud keeps for itself", () => {
  const kept = [
    "168.63.129.16",
    "161.26.0.10",
    "166.8.0.1",
    "166.11.255.254",
    "199.36.153.4",
    "199.36.153.11",
  ];
  const hidden = ["169.254.169.254", "100.100.100.200", "192.0.0.192", "169.254.42.42", "169.254.0.23"];
  const six = ["fd00:ec2::254", "fd20:ce::254", "fd00:a9fe:a9fe::1", "fd00:42::42", "fe80::a9fe:a9fe"];

  // The first: without it the others would ask such an address for something.
  test("is not public, though nothing but a list says so", () => {
    for (const address of kept) expect(isPublicAddress(address), address).toBe(false);
  });

  test.each([...kept, ...hidden])("is refused however it is spelt: %s", async (address) => {
    let asked = 0;
    const outgoing = client({
      lookup: async () => {
        asked++;
        return [address];
      },
    });
    for (const host of [...spellings(address), "a-name.example"]) {
      const refused = await get(outgoing, `http://${host}:8080/`).catch((error: unknown) => error);
      expect(refused, host).toMatchObject({ kind: expect.stringMatching(/^(?:refused|invalid)$/) });
    }
    // The name alone was looked up: everything else is an address.
    expect(asked).toBe(1);
  });

  test.each(six)("is refused as IPv6, by itself and behind a name: %s", async (address) => {
    const outgoing = client({ lookup: async () => [address] });
    for (const host of [`[${address}]`, "a-name.example"]) {
      await expect(get(outgoing, `http://${host}:8080/`)).rejects.toMatchObject({ kind: "refused" });
    }
  });

  test("is refused by the name of its service, whatever that resolves to", async () => {
    const outgoing = client({ lookup: async () => ["93.184.215.14"] });
    for (const host of [
      "metadata.google.internal",
      "METADATA.google.internal.",
      "metadata.platformequinix.com",
    ]) {
      await expect(get(outgoing, `http://${host}:8080/`)).rejects.toMatchObject({ kind: "refused" });
    }
  });

  test("is refused after a redirect, and where a name resolves to it the second time", async () => {
    const from = await serve((request, response) => {
      const to = request.url === "/name" ? "second.example" : "168.63.129.16";
      response.writeHead(302, { location: `http://${to}:8080/machine?comp=goalstate` }).end();
    });
    let asked = 0;
    const lookup = async (host: string) => {
      if (host === "localhost") return ["127.0.0.1"];
      return asked++ === 0 ? ["192.0.2.1"] : ["168.63.129.16"];
    };
    const outgoing = client({ allowPrivate: [`localhost:${from}`], lookup });
    for (const path of ["address", "name", "name"]) {
      await expect(get(outgoing, `http://localhost:${from}/${path}`)).rejects.toMatchObject({
        kind: "refused",
      });
    }
  });

  test("has neighbours that are as public as before", () => {
    for (const address of [
      "168.63.129.15",
      "168.63.129.17",
      "161.25.0.1",
      "166.12.0.1",
      "199.36.153.3",
      "8.8.8.8",
    ])
      expect(isPublicAddress(address), address).toBe(true);
  });
});
