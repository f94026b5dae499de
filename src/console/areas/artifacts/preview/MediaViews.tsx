import FileX from "lucide-react/icons/file-x";
import { useRef, useState } from "react";
import { cx } from "../../../ui/cx.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import { Remark, type ViewProps, WithLink } from "./view.tsx";

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
            ? `${size.width.toLocaleString("en-GB")} × ${size.height.toLocaleString("en-GB")} pixels`
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
  const player = (url: string, renew: () => void) => {
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
        renew();
      },
    } as const;
    return (
      <div className="flex min-h-0 flex-1 items-center justify-center bg-surface-sunken p-5">
        {kind === "audio" ? (
          <audio {...props} className="w-full max-w-[560px]" />
        ) : (
          <video {...props} className="max-h-full max-w-full" />
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
