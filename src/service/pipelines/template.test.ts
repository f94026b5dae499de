import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { parseCondition, parseTemplate, TemplateError } from "./template.ts";

const forAda = { share: ["team_harbor", "user_ada", "run_1"] };
const fill = async (text: string, scope: JsonObject = {}) => parseTemplate(text).resolve(scope, forAda);
/** What is said of a template that went over a limit. */
const refused = async (text: string, scope: JsonObject = {}): Promise<string> => {
  const error: unknown = await fill(text, scope).catch((thrown: unknown) => thrown);
  if (!(error instanceof TemplateError)) throw new Error(`it gave ${JSON.stringify(error)?.slice(0, 80)}`);
  return error.message;
};

const numbers = (count: number) => Array.from({ length: count }, (_, at) => count - at);

describe("a template", () => {
  it("gives a value as it is where it is nothing else, and text of it where it is a part of one", async () => {
    const value: JsonValue = { list: [1, null, "two"], of: { deep: true } };
    expect(await fill("{{ a.value }}", { a: { value } })).toBe(value);
    expect(await fill(" {{ a.value.list | size }} ", { a: { value } })).toBe(3);
    expect(await fill("{{ a.missing }}", { a: { value } })).toBe(null);
    expect(await fill("{{ a.value.list | map: 'x' }}", { a: { value } })).toEqual([null, null, null]);
    expect(await fill("It is {{ a.value }}.", { a: { value } })).toBe(
      'It is {"list":[1,null,"two"],"of":{"deep":true}}.',
    );
    expect(
      await fill("{{ nothing }}-{% cycle 0, 1 %}-{% capture x %}{{ a.value.of }}{% endcapture %}{{ x }}", {
        a: { value },
      }),
    ).toBe('-0-{"deep":true}');
  });

  it("S-267: with a loop without end lets all else have its turn, and ends after three seconds of its own", async () => {
    let turns = 0;
    let isOn = true;
    const count = async () => {
      for (; isOn; turns++) await nextTurn();
    };
    const counting = count();
    expect(
      await refused(
        "{% for i in (1..100000) %}{% for j in (1..90) %}{% for k in (1..90) %}{% endfor %}{% endfor %}{% endfor %}",
      ),
    ).toBe("the template took longer than 3 s");
    isOn = false;
    await counting;
    expect(turns).toBeGreaterThan(10);
  });

  it("counts for itself, and changes nothing that another field reads", async () => {
    const scope = { n: { value: "of a node" } };
    expect(await fill("{% increment n %}{% increment n %}{% decrement m %}", scope)).toBe("01-1");
    expect(await fill("{% increment n %}", scope)).toBe("0");
    expect(await fill("{{ n.value }}", scope)).toBe("of a node");
  });

  it("S-267: of a run that was killed is left where it is", async () => {
    const end = new AbortController();
    const filled = parseTemplate(
      "{% for i in (1..90000) %}{% for j in (1..90) %}{% endfor %}{% endfor %}",
    ).resolve({}, { ...forAda, signal: end.signal });
    end.abort(new Error("killed"));
    await expect(filled).rejects.toThrow("killed");
  });

  it("S-267: hands on what another node gave, however large", async () => {
    const large = numbers(600_000);
    expect(await fill("{{ a.value }}", { a: { value: large } })).toBe(large);
  });

  const list = numbers(50_001);
  const longTexts = numbers(20_000).map((at) => `${"same beginning ".repeat(8)}${at}`);
  const text = "words and ".repeat(100_001);
  it.each<[string, string, JsonValue]>([
    ["sorts", '"sort" takes at most 20,000 items', list],
    ["sorts (long texts)", '"sort" takes at most 2,000,000 characters', longTexts],
    ["sorts as people do", '"sort_natural" takes at most 20,000 items', list],
    ["joins", '"join" takes at most 50,000 items', list],
    ["takes doubles out of", '"uniq" takes at most 50,000 items', list],
    ["writes as JSON", '"json" takes at most 200,000 values', Array(3).fill(numbers(70_000))],
    ["splits", '"split" takes at most 1,000,000 characters', text],
    ["replaces in", '"replace" takes at most 1,000,000 characters', text],
    ["escapes", '"url_encode" takes at most 1,000,000 characters', text],
    ["draws from", '"sample" takes at most 50,000 characters', text],
  ])("S-267: that %s more than it may in one go says so: %s", async (_, said, value) => {
    const name = /"(\w+)"/.exec(said)?.[1] ?? "";
    expect(await refused(`{{ a.value | ${name}${name === "json" ? "" : ': "b"'} }}`, { a: { value } })).toBe(
      `${said} in a template; a node code takes more`,
    );
  });

  it("S-267: looks through a long list in steps, as for where, and says where a condition cannot", async () => {
    const value = numbers(100_000).map((at) => ({ at }));
    expect(await fill("{{ a.value | find: 'at', 1 }}", { a: { value } })).toEqual({ at: 1 });
    const { holds } = parseCondition("a.value contains 1");
    expect(await holds({ a: { value: [3, 2, 1] } }, forAda)).toBe(true);
    await expect(holds({ a: { value: numbers(200_001) } }, forAda)).rejects.toThrow(
      '"contains" takes at most 200,000 items in a template; a node code takes more',
    );
  });

  const alike = (half: number) => ({
    text: "a".repeat(4 * half),
    sought: `${"a".repeat(half)}b${"a".repeat(half)}`,
  });
  it("S-398: looks in a long text for one that is nearly the same everywhere, and nobody waits for it", async () => {
    const { holds } = parseCondition("text contains sought");
    const { text, sought } = alike(150_000);
    expect(await holds({ text, sought }, forAda)).toBe(false);
    expect(await holds({ text: `${text}b${text}`, sought }, forAda)).toBe(true);
  }, 10_000);

  it.each(["remove", "remove_first", "remove_last", "replace", "replace_first", "replace_last", "split"])(
    "S-398: looks for no long text in a long one with %s",
    async (name) => {
      expect(await refused(`{{ text | ${name}: sought, '' }}`, alike(10_000))).toBe(
        `"${name}" looks for at most 5,000 characters in a text of 40,000; a node code takes more`,
      );
    },
  );

  it.each([
    ['a.value contains "100%"', "all of it, 100%"],
    ["a.value contains '%}'", "ends with %}"],
    ['a.value == "{{ it }}"', "{{ it }}"],
    ['a.value contains "{%" and a.value contains "\\"%"', 'a {% and a "%'],
  ])("takes what stands in quotes of a condition as it is: %s", async (text, value) => {
    const { holds, references } = parseCondition(text);
    expect(references).toEqual([["a", "value"]]);
    expect(await holds({ a: { value } }, forAda)).toBe(true);
    expect(await holds({ a: { value: "else" } }, forAda)).toBe(false);
  });

  it.each([
    "{{ a.value }} > 1",
    "a.value %} {% if 'x'",
    "a.value > 5%",
    "a.value == 'it' } ",
    "a.value == 'it {",
  ])("refuses braces in a condition that are in no quotes: %s", (text) => {
    expect(() => parseCondition(text)).toThrow("a condition is written without braces");
  });

  it.each([
    ["-{{ nothing | raw }}-{{ nil | raw }}-", "---"],
    ["-{{ a.list | raw }}-", "-1two3-"],
    ["-{{ a.list | map: 'x' | raw }}{% echo a.list | raw %}-", "-1two3-"],
    ["-{{ a.text | raw }}-{{ a.list }}-", '-<b>-[1,"two",null,[3]]-'],
  ])("writes raw what Liquid writes so: %s", async (text, written) => {
    expect(await fill(text, { a: { list: [1, "two", null, [3]], text: "<b>" } })).toBe(written);
  });

  const nested =
    "{% assign a = 'x' | split: ',' %}{% for i in (1..24) %}{% assign a = a | push: a | push: a %}{% endfor %}";
  it.each([
    ["upcase", "{{ a | upcase }}"],
    ["join", "{{ a | join: '' }}"],
    ["append", "{{ b.text | append: a }}"],
    ["contains", "{% if 'x' contains a %}{% endif %}"],
    ["sum", "{{ a | sum }}"],
  ])("S-267: does not write out lists that lie in lists, each twice, without end: %s", async (name, text) => {
    expect(await refused(nested + text, { b: { text: "b" } })).toBe(
      `"${name}" takes at most 500,000 values in a template; a node code takes more`,
    );
  });

  const long = "%c".repeat(501);
  it.each([
    ["date", "{{ 'now' | date: a.long }}", "1,000"],
    ["where", "{{ a.list | where: a.longer, 1 }}", "10,000"],
    ["find_exp", "{{ a.list | find_exp: 'x', a.longer }}", "10,000"],
  ])("S-267: takes no format, name or expression without end: %s", async (name, text, most) => {
    expect(await refused(text, { a: { long, longer: long.repeat(20), list: [1] } })).toBe(
      `"${name}" takes at most ${most} characters beside in a template; a node code takes more`,
    );
  });

  it("S-267: indents no large value, and keeps neither many captured texts nor a list of long ones", async () => {
    expect(await refused("{{ a.value | json: 2 }}", { a: { value: numbers(2_001) } })).toBe(
      '"json" takes at most 2,000 values in a template; a node code takes more',
    );
    expect(await fill("{{ a.value | json: 2 }}", { a: { value: { b: 1 } } })).toBe('{\n  "b": 1\n}');
    const value = "x".repeat(999_000);
    const capture = "{% capture c %}{{ a.value }}{% endcapture %}";
    expect(await refused(`{% for i in (1..20) %}${capture}{% endfor %}`, { a: { value } })).toBe(
      "the text is longer than 10,000,000 characters",
    );
    expect(
      await refused(`{{ b.list${" | push: a.value".repeat(11)} }}`, { a: { value }, b: { list: [] } }),
    ).toBe("what comes out has more than 500,000 values or 10,000,000 characters");
  });

  it("is refused where its paths are too deep within each other to be looked through", () => {
    const read = (depth: number) => parseTemplate(`{{ ${"a[".repeat(depth)}b${"]".repeat(depth)} }}`);
    expect(read(100).references).toHaveLength(2);
    // How deep is too deep depends on what the process has done before.
    for (let depth = 1_000; depth < 8_000; depth += 500) {
      try {
        read(depth);
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    }
    expect(() => read(100_000)).toThrow(TemplateError);
  });

  it("S-267: makes neither a range, a text nor a list that would fill the memory", async () => {
    expect(await refused("{{ (1..19000000) }}")).toBe("a range makes more than 100,000 characters or items");
    expect(await refused("{% for i in (1..200) %}{% assign x = (1..90000) %}{% endfor %}")).toBe(
      "filters and ranges make more than 10,000,000 characters or items",
    );
    const value = "x".repeat(1_000_000);
    expect(await refused("{{ a.value | append: 'x' }}", { a: { value } })).toBe(
      "a filter takes or makes more than 1,000,000 characters or items",
    );
    expect(await refused("{{ a.value | split: '' }}", { a: { value: value.slice(1) } })).toBe(
      "what comes out has more than 500,000 values or 10,000,000 characters",
    );
    const tooLong = "the text is longer than 10,000,000 characters";
    expect(await refused("{% for i in (1..11) %}{{ a.value }}{% endfor %}", { a: { value } })).toBe(tooLong);
    expect(
      await refused("{% for i in (1..11) %}{% capture x %}{{ x }}{{ a.value }}{% endcapture %}{% endfor %}", {
        a: { value },
      }),
    ).toBe(tooLong);
    const values = numbers(100_000).map(() => "a hundred thousand of these");
    expect(
      await refused("{{ a.value }}{{ a.value }}{{ a.value }}{{ a.value }}", { a: { value: values } }),
    ).toBe(tooLong);
  });
});
