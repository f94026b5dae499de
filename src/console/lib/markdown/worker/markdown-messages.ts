/** Elements that markdown may become. `input` is the tick of a task list and is drawn, never a control. */
export type MarkdownTag =
  | ("p" | "br" | "strong" | "em" | "del" | "code" | "pre" | "blockquote" | "hr")
  | ("ul" | "ol" | "li" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
  | ("table" | "thead" | "tbody" | "tr" | "th" | "td" | "a" | "img" | "input");

/** A piece of text, or an element; plain data, so that it can leave the worker. */
export type MarkdownNode =
  | string
  | {
      readonly tag: MarkdownTag;
      readonly children: readonly MarkdownNode[];
      /** Of a link or an image: http or https, else not there. Still to be checked by whoever draws it. */
      readonly href?: string;
      readonly alt?: string;
      readonly start?: number;
      readonly align?: "right" | "center";
      readonly isChecked?: boolean;
    };

export interface MarkdownQuestion {
  readonly id: number;
  readonly text: string;
}

/** `ready`: the worker stands. `nodes` is null where the text cannot be read as markdown. */
export type FromMarkdownWorker =
  | { readonly type: "ready" }
  | { readonly type: "read"; readonly id: number; readonly nodes: readonly MarkdownNode[] | null };
