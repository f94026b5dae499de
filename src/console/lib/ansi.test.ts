import { describe, expect, it } from "vitest";
import { plainText, readAnsi } from "./ansi.ts";

const esc = "\u001b";

describe("colours in a log line", () => {
  it("shows the eight colours and bold, and ends them where the line does", () => {
    expect(readAnsi(`a ${esc}[31mred${esc}[0m ${esc}[1;32mok${esc}[22m.`)).toEqual([
      { text: "a ", colour: null, bold: false },
      { text: "red", colour: "red", bold: false },
      { text: " ", colour: null, bold: false },
      { text: "ok", colour: "green", bold: true },
      { text: ".", colour: "green", bold: false },
    ]);
  });

  it("C-07: leaves out links, clipboard writes and cursor moves but keeps their text", () => {
    const link = `${esc}]8;;https://evil.example\u0007here${esc}]8;;\u0007`;
    const clipboard = `${esc}]52;c;ZXZpbA==\u0007`;
    expect(plainText(`${link}${clipboard}${esc}[2J${esc}[1A!`)).toBe("here!");
    expect(readAnsi(`${link}${clipboard}`).map((span) => span.text)).toEqual(["here"]);
  });

  it("skips 256 and RGB colours without eating the codes after them", () => {
    expect(readAnsi(`${esc}[38;5;196;1mx`)).toEqual([{ text: "x", colour: null, bold: true }]);
    expect(readAnsi(`${esc}[38;2;1;2;31;31mx`)).toEqual([{ text: "x", colour: "red", bold: false }]);
  });

  it("leaves out what `tput` and terminals write beside colours", () => {
    expect(plainText(`${esc}7${esc}[1mok${esc}(B${esc}[m ${esc}[!p${esc}[0 qdone${esc}8${esc}=.`)).toBe(
      "ok done.",
    );
    expect(readAnsi(`${esc}[>4;1mok`)).toEqual([{ text: "ok", colour: null, bold: false }]);
    expect(readAnsi(`${esc}[31mred${esc}(B${esc}[m plain`)).toEqual([
      { text: "red", colour: "red", bold: false },
      { text: " plain", colour: null, bold: false },
    ]);
  });

  it("drops an unfinished sequence and other control characters", () => {
    expect(plainText(`a${esc}`)).toBe("a");
    expect(plainText("a\u0000b\u009bc\td")).toBe("abc\td");
  });
});
