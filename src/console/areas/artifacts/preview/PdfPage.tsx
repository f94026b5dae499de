import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import type { PageSize } from "./usePdf.ts";

type Props = {
  pdf: PDFDocumentProxy;
  /** From 1. */
  number: number;
  /** CSS pixels for a point. */
  scale: number;
  /** Where it is drawn, until its own size is known. */
  size: PageSize;
  onSize: (number: number, size: PageSize) => void;
};

/** A canvas of more pixels than this is drawn coarser: browsers refuse bigger ones. */
const mostPixels = 16_000_000;
/** So much of a page's text is there for those who listen, in characters. */
const mostOfText = 8_000;

/** One page, drawn. Its text stands beside the drawing for those who listen. */
export function PdfPage({ pdf, number, scale, size, onSize }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [text, setText] = useState("");
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isGone = false;
    let cancel = () => {};
    const draw = async () => {
      const page = await pdf.getPage(number);
      const plain = page.getViewport({ scale: 1 });
      if (isGone || !canvas.current) return;
      onSize(number, { width: plain.width, height: plain.height });
      const wished = scale * Math.min(globalThis.devicePixelRatio || 1, 2);
      const pixels = plain.width * plain.height * wished * wished;
      const viewport = page.getViewport({ scale: wished * Math.min(1, Math.sqrt(mostPixels / pixels)) });
      canvas.current.width = Math.floor(viewport.width);
      canvas.current.height = Math.floor(viewport.height);
      const task = page.render({ canvas: canvas.current, viewport });
      cancel = () => task.cancel();
      await task.promise;
      const { items } = await page.getTextContent();
      const words = items.map((item) => ("str" in item ? item.str : "")).join(" ");
      if (!isGone) setText(words.slice(0, mostOfText));
    };
    draw().catch(() => {
      // Also a drawing that was given up because the page left the view.
      if (!isGone) setBroken(true);
    });
    return () => {
      isGone = true;
      cancel();
    };
  }, [pdf, number, scale, onSize]);
  return (
    <section
      aria-label={`Page ${number}`}
      className="relative mx-auto border bg-[Canvas] [color-scheme:light]"
      style={{ width: `${size.width * scale}px`, height: `${size.height * scale}px` }}
    >
      <canvas ref={canvas} className="size-full" />
      <p className="sr-only">{text}</p>
      {isBroken && (
        <p className="absolute inset-x-0 top-4 text-center text-[GrayText]">This page is damaged</p>
      )}
    </section>
  );
}
