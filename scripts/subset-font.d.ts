declare module "subset-font" {
  /** What of its options is used here; the package brings no types of its own. */
  interface Options {
    readonly targetFormat: "woff2";
    /** OpenType tags of the layout features that stay. */
    readonly keepFeatures: readonly string[];
    readonly variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>;
  }
  /** @returns the font with the letters of `text` alone */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
