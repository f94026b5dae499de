/** Text that tries to become more than text. Each would set `window.__xss` or ask `spy.example.test` for something. */

const spy = "https://spy.example.test";

/** C-04: markup that runs script where it is taken for markup. */
export const scripts: readonly string[] = [
  "<script>window.__xss=1</script>",
  '<img src=x onerror="window.__xss=2">',
  "<svg><animate onbegin=window.__xss=3 attributeName=x dur=1s>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.__xss=4&gt;">',
  '<iframe srcdoc="<script>parent.__xss=5</script>"></iframe>',
  "<details open ontoggle=window.__xss=6>",
  "<style>*{display:none!important}</style>",
  "<form action=https://spy.example.test><button formaction=javascript:window.__xss=7>Sign in</button></form>",
  "<base href=https://spy.example.test/><meta http-equiv=refresh content=0;url=https://spy.example.test>",
  "```mermaid\ngraph TD; A[<img src=x onerror=window.__xss=8>]\n```",
  "[x](javascript:window.__xss=9) <a href=javascript:window.__xss=10>y</a>",
  "<template shadowrootmode=open><script>window.__xss=11</script></template>",
];

/** C-06: text that makes a page ask another host without a click. */
export const leaks: readonly string[] = [
  `![inline](${spy}/inline.png)`,
  `![reference][r]\n\n[r]: ${spy}/reference.png`,
  `<img srcset="${spy}/set.png 1x"><video poster=${spy}/poster.png src=${spy}/video.mp4></video>`,
  `<link rel=dns-prefetch href=//spy.example.test><link rel=prefetch href=${spy}/prefetch>`,
  `<div style="background:url(${spy}/css.png)">styled</div>`,
  `<object data=${spy}/object></object><embed src=${spy}/embed>`,
  `[![nested](${spy}/nested.png)](${spy}/link)`,
  `<${spy}/autolink> and ${spy}/bare`,
];

/** C-05: addresses that must never become a link. */
export const badAddresses: readonly string[] = [
  "javascript:window.__xss=20",
  "JaVaScRiPt:window.__xss=21",
  "java\tscript:window.__xss=22",
  " javascript:window.__xss=23",
  "data:text/html,<script>window.__xss=24</script>",
  "vbscript:window.__xss=25",
  "//spy.example.test/host",
  "\\\\spy.example.test\\host",
  "/\\spy.example.test",
  "blob:https://spy.example.test/1",
  "file:///etc/passwd",
];

/** C-07: terminal sequences that link, write the clipboard or set the title. */
export const terminalTricks: readonly string[] = [
  `\u001b]8;;${spy}/osc8\u0007a link\u001b]8;;\u0007`,
  "\u001b]52;c;c3RvbGVu\u0007after the clipboard",
  "\u001b]0;owned\u0007after the title",
  "\u001b[31mred\u001b[0m plain",
  "\u001b[2J\u001b[Hcleared",
];

/** Harmless text that looks like tags, in what is markdown otherwise: everything in it is to be seen. */
export const tagLike = {
  text: "It is a **Promise<string>**, `<your id>` and <your id>, a<b and b>c.\n\n<order>\n  <soap:id>7</soap:id>\n</order>\n\n<!-- not for you -->",
  seen: [
    "It is a Promise<string>, <your id> and <your id>, a<b and b>c.",
    "<order>\n  <soap:id>7</soap:id>\n</order>",
    "<!-- not for you -->",
  ],
} as const;
