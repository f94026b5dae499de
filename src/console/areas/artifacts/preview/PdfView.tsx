import { useVirtualizer } from "@tanstack/react-virtual";
import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { grouped } from "../../../lib/words.ts";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { Input } from "../../../ui/Input.tsx";
import { onResize } from "../../../ui/resize.ts";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { type PageSize, usePdf } from "./usePdf.ts";
import { FileTroubled, Reading, type ViewProps, WithBytes } from "./view.tsx";

/** A PDF, page by page; only the pages in view are drawn. */
export default function PdfView(props: ViewProps) {
  return <WithBytes {...props}>{({ bytes }) => <OpenedPdf {...props} bytes={bytes} />}</WithBytes>;
}

function OpenedPdf({ bytes, name, page, onPage, download }: ViewProps & { bytes: Uint8Array }) {
  const { open, trouble } = usePdf(bytes);
  if (trouble) return <FileTroubled why={trouble}>{download}</FileTroubled>;
  if (!open) return <Reading />;
  return <Pages open={open} name={name} page={page} onPage={onPage} />;
}

/** CSS pixels for a point: a page of A4 is 794 px wide at 100 %. */
const natural = 96 / 72;
const zooms = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const gap = 14;
const settles = 400;

type PagesProps = {
  open: NonNullable<ReturnType<typeof usePdf>["open"]>;
  name: string;
  page: number | undefined;
  onPage: (page: number) => void;
};

function Pages({ open: { pdf, size }, name, page, onPage }: PagesProps) {
  const { clock } = useApi();
  const scroller = useRef<HTMLElement>(null);
  const sizes = useRef(new Map<number, PageSize>());
  const [zoom, setZoom] = useState<number | null>(null);
  const [width, setWidth] = useState(0);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  // Without a zoom a page is as wide as the view, and never wider than it reads well.
  const fitting = Math.min(natural * 1.25, Math.max(0.2, (width - 40) / size.width));
  const scale = zoom === null ? fitting : zoom * natural;
  const sizeOf = (number: number) => sizes.current.get(number) ?? size;
  const pages = useVirtualizer({
    count: pdf.numPages,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => sizeOf(at + 1).height * scale + gap,
    overscan: 1,
    paddingStart: gap,
    initialRect: { width: 800, height: 600 },
  });
  const place = useCallback((box: HTMLElement | null) => {
    scroller.current = box;
    if (!box) return;
    const measure = () => setWidth(box.clientWidth);
    measure();
    return onResize(box, measure);
  }, []);
  const keepSize = useCallback((number: number, real: PageSize) => {
    const known = sizes.current.get(number);
    if (known?.width === real.width && known.height === real.height) return;
    sizes.current.set(number, real);
    renderAgain();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scale or size makes other heights
  useEffect(() => pages.measure(), [scale, sizes.current.size]);

  // The page that the address names is gone to once; afterwards the address follows what is looked at.
  const wanted = useRef(page);
  const isPlaced = useRef(false);
  const current = Math.min(pdf.numPages, (pages.range?.startIndex ?? 0) + 1);
  const goTo = (number: number) => {
    const at = Math.min(pdf.numPages, Math.max(1, Math.round(number)));
    pages.scrollToIndex(at - 1, { align: "start" });
  };
  useEffect(() => {
    if (width === 0 || isPlaced.current) return;
    isPlaced.current = true;
    if (wanted.current !== undefined && wanted.current > 1) goTo(wanted.current);
  });
  useEffect(() => {
    if (!isPlaced.current || current === (page ?? 1)) return;
    return clock.after(settles, () => onPage(current));
  }, [current, page, onPage, clock]);

  const step = (by: 1 | -1) => {
    const now = zoom ?? scale / natural;
    const next = by === 1 ? zooms.find((one) => one > now + 0.01) : zooms.findLast((one) => one < now - 0.01);
    if (next !== undefined) setZoom(next);
  };
  return (
    <>
      <div className="flex min-h-filters shrink-0 items-center gap-2 border-b py-2 pr-edge-right pl-edge-left text-secondary">
        <span className="flex items-center gap-2 text-muted">
          Page
          <Input
            key={current}
            aria-label="Page"
            inputMode="numeric"
            defaultValue={String(current)}
            className="h-control-small! w-14! text-right tabular-nums"
            onKeyDown={(event) => {
              if (event.key === "Enter") goTo(Number(event.currentTarget.value) || current);
            }}
          />
          <span className="whitespace-nowrap tabular-nums">of {grouped(pdf.numPages)}</span>
        </span>
        <span className="ml-auto flex items-center gap-1">
          <IconButton size="small" label="Zoom out" onClick={() => step(-1)}>
            <Minus />
          </IconButton>
          <Tooltip content="Fit width">
            <Button variant="quiet" size="small" onClick={() => setZoom(null)}>
              {Math.round((scale / natural) * 100)} %
            </Button>
          </Tooltip>
          <IconButton size="small" label="Zoom in" onClick={() => step(1)}>
            <Plus />
          </IconButton>
        </span>
      </div>
      <section
        ref={place}
        aria-label={`Pages of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-auto bg-surface-sunken"
      >
        <div
          className="relative"
          style={{ height: `${pages.getTotalSize()}px`, minWidth: `${size.width * scale + 24}px` }}
        >
          {width > 0 &&
            pages.getVirtualItems().map(({ index, start }) => (
              <div key={index} className="absolute inset-x-0" style={{ top: `${start}px` }}>
                <PdfPage
                  pdf={pdf}
                  number={index + 1}
                  scale={scale}
                  size={sizeOf(index + 1)}
                  onSize={keepSize}
                />
              </div>
            ))}
        </div>
      </section>
    </>
  );
}

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
function PdfPage({ pdf, number, scale, size, onSize }: Props) {
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
      // At another zoom there may be room for what there was none before.
      if (!isGone) setBroken(false);
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
