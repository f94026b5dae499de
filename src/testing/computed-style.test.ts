// @vitest-environment jsdom
import { expect, test } from "vitest";
import { quickComputedStyle } from "./computed-style.ts";

const full = window.getComputedStyle;
const quick = quickComputedStyle(full);

const page = `
  <main style="pointer-events: none">
    <h1>Runs</h1><p>one <b>two</b> <span hidden>three</span></p>
    <div style="visibility: hidden"><button>four</button><i style="visibility: visible">five</i></div>
    <div style="display: none; color: red"><a href="#x">six</a></div>
    <dialog>seven</dialog><dialog open>eight</dialog>
    <input type="hidden"><input type="checkbox"><textarea></textarea><select><option>nine</option></select>
    <ul><li><ul><li>ten</li></ul></li></ul>
    <table><thead><tr><th>a</th></tr></thead><tbody><tr><td style="display: flex">b</td></tr></tbody></table>
    <details><summary>eleven</summary>twelve</details><template></template><svg><g></g></svg><x-own></x-own>
    <em style="visibility: inherit; pointer-events: auto">thirteen</em>
  </main>`;

test("says of every element what the environment itself says", () => {
  document.body.innerHTML = page;
  const said = (style: CSSStyleDeclaration) => ({
    display: style.display,
    visibility: style.visibility,
    pointerEvents: style.pointerEvents,
    byName: ["display", "visibility", "pointer-events", "color"].map((name) => style.getPropertyValue(name)),
    color: style.color,
    opacity: style.opacity,
  });
  const elements = [...document.querySelectorAll("*")];
  expect(elements.length).toBeGreaterThan(35);
  for (const element of elements)
    expect(said(quick(element)), element.outerHTML.slice(0, 60)).toEqual(said(full(element)));
});

test("says what has changed since it was asked", () => {
  document.body.innerHTML = "<p><b>word</b></p>";
  const word = document.querySelector("b");
  const around = document.querySelector("p");
  if (word === null || around === null) throw new Error("no such element");
  expect(quick(word).display).toBe("inline");
  expect(quick(word).visibility).toBe("visible");
  around.style.visibility = "hidden";
  word.hidden = true;
  expect(quick(word).display).toBe("none");
  expect(quick(word).visibility).toBe("hidden");
});
