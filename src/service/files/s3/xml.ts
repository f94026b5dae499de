import { Parser } from "htmlparser2";

/** The text of each element of an S3 answer by its name; of several with one name the first. */
export function xmlTexts(xml: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  readXml(xml, (path, text) => {
    const name = path.at(-1) ?? "";
    if (!texts.has(name)) texts.set(name, text);
  });
  return texts;
}

/** The elements of that name, each as the texts in it. */
export function xmlItems(xml: string, name: string): readonly ReadonlyMap<string, string>[] {
  const items: Map<string, string>[] = [];
  let open: Map<string, string> | null = null;
  const parser = reader({
    onOpen(path) {
      if (path.at(-1) !== name) return;
      open = new Map();
      items.push(open);
    },
    onText: (path, text) => open?.set(path.at(-1) ?? "", text),
    onClose(path) {
      if (path.at(-1) === name) open = null;
    },
  });
  parser.end(xml);
  return items;
}

function readXml(xml: string, onText: (path: readonly string[], text: string) => void): void {
  reader({ onOpen: () => {}, onText, onClose: () => {} }).end(xml);
}

interface XmlEvents {
  onOpen(path: readonly string[]): void;
  /** The text of an element without others in it. */
  onText(path: readonly string[], text: string): void;
  onClose(path: readonly string[]): void;
}

function reader({ onOpen, onText, onClose }: XmlEvents): Parser {
  const path: string[] = [];
  let text = "";
  return new Parser(
    {
      onopentagname(name) {
        path.push(name);
        text = "";
        onOpen(path);
      },
      ontext(piece) {
        text += piece;
      },
      onclosetag() {
        onText(path, text.trim());
        onClose(path);
        path.pop();
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
}
