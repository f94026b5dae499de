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

  it("leave ordinary pages alone", () => {
    expect(asksForConnections(bytes("<h1>Hello</h1><link rel=stylesheet href=x.css>&#0;&#1114112;"))).toBe(
      false,
    );
  });
});
