import { describe, expect, it } from "vitest";
import { asksForConnections } from "./MediaViews.tsx";

const bytes = (text: string) => new TextEncoder().encode(text);
const wide = (text: string) =>
  new Uint8Array([0xff, 0xfe, ...[...text].flatMap((one) => [one.charCodeAt(0), 0])]);

describe("pages that ask for connections", () => {
  it.each([
    '<link rel=preconnect href="https://spy.example.test">',
    "<LINK REL='DNS-Prefetch' href=//spy.example.test>",
    '<link rel="pre&#99;onnect" href=//spy.example.test>',
    '<link rel="pre&#x63onnect" href=//spy.example.test>',
    '<link rel="dns&#45;prefetch" href=//spy.example.test>',
  ])("C-06: are found, however they are written: %s", (html) => {
    expect(asksForConnections(bytes(html))).toBe(true);
    expect(asksForConnections(wide(html))).toBe(true);
  });

  it.each(["utf-16le", "utf-16be", "iso-2022-jp"])(
    "C-06: are found in bytes that only %s can read",
    (charset) => {
      const html = "<link rel=preconnect href=//spy.example.test>";
      const written = {
        "utf-16le": [...html].map((one) => `${one}\0`).join(""),
        "utf-16be": [...html].map((one) => `\0${one}`).join(""),
        "iso-2022-jp": html.replace("con", "\u001b(Bcon\u001b(J"),
      }[charset];
      expect(new TextDecoder(charset).decode(bytes(written ?? ""))).toBe(html);
      expect(asksForConnections(bytes(written ?? ""))).toBe(true);
    },
  );

  it("leave ordinary pages alone", () => {
    expect(asksForConnections(bytes("<h1>Hello</h1><link rel=stylesheet href=x.css>&#0;&#1114112;"))).toBe(
      false,
    );
  });
});
