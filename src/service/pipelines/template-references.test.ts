import { Liquid, Token } from "liquidjs";
import { describe, expect, it, vi } from "vitest";
import { texts } from "./template-engine.ts";
import { referencesOf } from "./template-references.ts";

/** What Liquid itself says, of each path the first two parts. */
function liquidsOwn(text: string): string[] {
  const segments = new Liquid().globalVariableSegmentsSync(texts.parse(text));
  return segments.map(([node, field]) => JSON.stringify(typeof field === "string" ? [node, field] : [node]));
}

describe("what a template reads", () => {
  it.each([
    [
      "outputs",
      "{{ a.value }} and {{ b.value.deep.deeper }}, {{ c }}{{ 'text' }}{{ 3 }}{{ true }}{{ d.x-y }}",
    ],
    ["whitespace control", "{{- a.value -}}\n{%- if b.value -%} {{ c.value }} {%- endif -%}"],
    [
      "nested properties",
      "{{ a[b.c].d }}{{ [e.f].g }}{{ h[true].i }}{{ j[0].k }}{{ l['m n'] }}{{ o[p[q.r]] }}",
    ],
    ["names in brackets", "{{ ['a'].b }}{{ ['a b'] }}{{ 5.a }}{{ 'x'.size }}"],
    ["filters with variables", "{{ a.b | append: c.d | slice: 1, e.f | default: g.h, allow_false: i.j }}"],
    ["ranges", "{{ (a.b..c.d) }}{% for i in (1..e.f) %}{{ i }}{% endfor %}{{ (1..g.h).size }}"],
    [
      "conditions",
      "{% if a.b == c.d and e or f contains 'x' %}{% elsif not g.h %}{{ i.j }}{% else %}{{ k.l }}{% endif %}",
    ],
    [
      "unless and case",
      "{% unless a.b %}{{ c }}{% endunless %}{% case d.e %}{% when f.g, 1 %}{{ h.i }}{% else %}{{ j }}{% endcase %}",
    ],
    [
      "loops",
      "{{ item.a }}{% for item in a.list limit: b.c offset: d.e reversed %}{{ item.f }}{{ forloop.index }}{{ g }}{% else %}{{ item.h }}{% endfor %}{{ item.i }}{{ forloop }}",
    ],
    [
      "loops in loops",
      "{% for x in a.b %}{% for y in x.c %}{{ x.d }}{{ y.e }}{{ z.f }}{% endfor %}{{ y.g }}{% endfor %}{{ x.h }}",
    ],
    [
      "rows of tables",
      "{% tablerow r in a.b cols: c.d %}{{ r.e }}{{ tablerowloop.col }}{% endtablerow %}{{ r.f }}",
    ],
    [
      "assigned names",
      "{{ x.before }}{% assign x = a.b | plus: c.d %}{{ x.after }}{% if e %}{% assign y = x %}{% endif %}{{ y }}",
    ],
    [
      "a name in a loop",
      "{% for x in a.b %}{% assign x2 = x.c %}{% endfor %}{{ x2.d }}{{ x }}{% assign x = 1 %}{{ x.e }}",
    ],
    [
      "captured texts",
      "{% capture x %}{{ a.b }}{{ x }}{% endcapture %}{{ x.y }}{% capture 'z' %}{% endcapture %}{{ z }}",
    ],
    ["counters", "{{ n }}{% increment n %}{{ n }}{% decrement m %}{{ m }}"],
    ["cycles", "{% cycle a.b: c.d, e.f, 'g' %}{% echo h.i | join: j %}"],
    [
      "lines of Liquid",
      "{% liquid\nassign x = a.b\nif x == c.d\necho e.f\nendif\nfor i in g.h\necho i.j\nendfor\n%}{{ x }}",
    ],
    [
      "raw and comments",
      "{% raw %}{{ a.b }}{% endraw %}{% comment %}{{ c.d }}{% endcomment %}{% # e.f %}{{ g.h }}",
    ],
    ["the same many times", "{{ a.b.c }}{{ a.b.d }}{{ e.f }}{{ a.g }}{{ a }}{{ a.b }}"],
  ])("is what Liquid finds, each once: %s", (_, text) => {
    const found = referencesOf(texts.parse(text)).map((reference) => JSON.stringify(reference));
    expect(found.sort()).toEqual([...new Set(liquidsOwn(text))].sort());
  });

  it("S-288: is found without looking for the place of each from the beginning of the text on", () => {
    const looks = vi.spyOn(Token.prototype, "getPosition");
    const text = Array.from({ length: 4_000 }, (_, at) => `{{n.f${at}}}`).join(" ");
    const found = referencesOf(texts.parse(text));
    expect(found.length).toBe(4_000);
    expect(looks).not.toHaveBeenCalled();
  });
});
