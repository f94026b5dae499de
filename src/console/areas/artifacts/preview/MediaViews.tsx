import FileX from "lucide-react/icons/file-x";
import Globe from "lucide-react/icons/globe";
import { useRef, useState } from "react";
import { grouped } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import type { FileBytes } from "../read-file.ts";
import { decode } from "../worker/tables.ts";
import { Lines } from "./TextViews.tsx";
import { Remark, type ViewProps, WithBytes, WithLink } from "./view.tsx";

/** A picture. SVG too is only ever a picture here: in an image nothing runs and nothing is loaded. */
export function ImageView({ version, name, kind, download }: ViewProps) {
  const [isWhole, setWhole] = useState(true);
  const [isBroken, setBroken] = useState(false);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const picture = (url: string) => (
    <>
      <section
        aria-label={`Image ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={cx(
          "focus-inset min-h-0 flex-1 overflow-auto bg-surface-sunken",
          isWhole && "flex items-center justify-center p-4",
        )}
      >
        <img
          src={url}
          alt={name}
          decoding="async"
          draggable={false}
          referrerPolicy="no-referrer"
          onLoad={({ currentTarget: image }) =>
            setSize({ width: image.naturalWidth, height: image.naturalHeight })
          }
          onError={() => setBroken(true)}
          className={cx(
            // Drawings without a ground of their own are meant for a white sheet.
            "bg-[Canvas] [color-scheme:light]",
            isWhole ? "max-h-full max-w-full object-contain" : "max-w-none",
            // A drawing without a fixed size would be a dot.
            kind === "svg" && isWhole && "min-h-[50%] min-w-[30%]",
          )}
        />
      </section>
      <ListFoot
        keys={
          <Segmented
            label="Size"
            value={isWhole ? "fit" : "full"}
            options={[
              { value: "fit", label: "Fit" },
              { value: "full", label: "100 %" },
            ]}
            onChange={(value) => setWhole(value === "fit")}
            className="h-6!"
          />
        }
      >
        {size === null
          ? "Loading image…"
          : size.width > 0
            ? `${grouped(size.width)} × ${grouped(size.height)} pixels`
            : "A drawing without a fixed size"}
      </ListFoot>
    </>
  );
  return (
    <WithLink version={version}>
      {(url) =>
        isBroken ? (
          <Remark isAlert icon={<FileX />} title="This image can’t be shown" actions={download}>
            It is damaged, or not the type it claims to be.
          </Remark>
        ) : (
          picture(url)
        )
      }
    </WithLink>
  );
}

/** Sound and film, played as they come. A link that ends while it plays is renewed once, and it goes on from there. */
export function MediaView({ version, name, kind, download }: ViewProps) {
  const [isBroken, setBroken] = useState(false);
  const at = useRef(0);
  const hasPlayed = useRef(false);
  const [times, setTimes] = useState(0);
  const player = (url: string, renew: () => Promise<unknown>) => {
    const props = {
      src: url,
      controls: true,
      preload: "metadata",
      "aria-label": name,
      onTimeUpdate: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
        at.current = currentTarget.currentTime;
        hasPlayed.current = true;
      },
      onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
        if (at.current > 0) currentTarget.currentTime = at.current;
      },
      onError: () => {
        // What played before and stops now has lost its link; what never played is broken.
        if (!hasPlayed.current) return setBroken(true);
        hasPlayed.current = false;
        // An element that has failed does not begin again with the link that it has.
        void renew().then(() => setTimes((count) => count + 1));
      },
    } as const;
    return (
      <div className="flex min-h-0 flex-1 items-center justify-center bg-surface-sunken p-5">
        {kind === "audio" ? (
          <audio key={times} {...props} className="w-full max-w-[560px]" />
        ) : (
          <video key={times} {...props} className="max-h-full max-w-full" />
        )}
      </div>
    );
  };
  return (
    <WithLink version={version}>
      {(url, renew) =>
        isBroken ? (
          <Remark isAlert icon={<FileX />} title="This file can’t be played" actions={download}>
            It is damaged, or in a format this browser does not support.
          </Remark>
        ) : (
          player(url, renew)
        )
      }
    </WithLink>
  );
}

/**
 * A page in a frame without any right: no script, no forms, no origin, no way out; its bytes come with a policy of their
 * own that lets it load nothing.
 */
export function PageView(props: ViewProps) {
  return (
    <WithBytes {...props} use="show">
      {(file) => <Framed {...props} file={file} />}
    </WithBytes>
  );
}

function Framed({ name, download, file }: ViewProps & { file: FileBytes }) {
  const { bytes, url, isWhole, isSaved } = file;
  const [showsText, setShowsText] = useState(false);
  if (showsText || isSaved) return <Lines bytes={bytes} label={name} isCode isCut={!isWhole} />;
  if (!isWhole || asksForConnections(bytes)) {
    return (
      <Remark
        icon={<Globe />}
        title={isWhole ? "This page connects to other sites" : "This page is too large to show"}
        actions={
          <>
            <Button onClick={() => setShowsText(true)}>Show as text</Button>
            {download}
          </>
        }
      >
        {isWhole &&
          "It opens connections before anyone clicks, and a browser can’t block that. It is not shown as a page."}
      </Remark>
    );
  }
  return (
    <>
      <iframe
        src={url}
        title={`The page ${name}`}
        sandbox=""
        referrerPolicy="no-referrer"
        // A page that names no colour of its own is meant for a white sheet.
        className="min-h-0 w-full flex-1 border-0 bg-[Canvas] [color-scheme:light]"
      />
      <ListFoot keys="Scripts, forms and external content are off">Page preview</ListFoot>
    </>
  );
}

/** What two of the charsets have between letters: zero bytes, and the escape to other letters or back. */
const hidden = /\p{Cc}\([A-Z]|(?![\t\n\f\r])\p{Cc}/gu;

/**
 * Whether a page could ask the browser to look up or connect to other hosts by its mere markup (`rel=preconnect`,
 * `rel=dns-prefetch`): the one thing that neither its sandbox nor its policy forbids (C-06). Looks for the words anywhere,
 * also written in character references, so that it errs on the safe side.
 */
export function asksForConnections(bytes: Uint8Array): boolean {
  const text = decode(bytes)
    // As what the bytes are read is said elsewhere: UTF-16 without a mark, or a charset that switches by escapes.
    .replaceAll(hidden, "")
    .replaceAll(/&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : whole;
    })
    .toLowerCase();
  return /preconnect|dns-prefetch/.test(text);
}
