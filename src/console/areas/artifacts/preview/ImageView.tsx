import FileX from "lucide-react/icons/file-x";
import { useState } from "react";
import { cx } from "../../../ui/cx.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import { FileFailure } from "./FileFailure.tsx";
import type { ViewProps } from "./Preview.tsx";
import { Empty, Reading } from "./parts.tsx";
import { Remark } from "./Remark.tsx";
import { useWorkingLink } from "./useFileBytes.ts";

/** A picture. SVG too is only ever a picture here: in an image nothing runs and nothing is loaded. */
export default function ImageView({ version, name, kind, download }: ViewProps) {
  const link = useWorkingLink(version);
  const [isWhole, setWhole] = useState(true);
  const [isBroken, setBroken] = useState(false);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  if (link.isError) {
    return (
      <FileFailure error={link.error} onRetry={() => void link.refetch()} isRetrying={link.isFetching} />
    );
  }
  if (!link.data) return <Reading />;
  if (link.data.size === 0) return <Empty />;
  if (isBroken) {
    return (
      <Remark isAlert icon={<FileX />} title="This picture cannot be shown" actions={download}>
        It is damaged, or it is something else than it says.
      </Remark>
    );
  }
  return (
    <>
      <section
        aria-label={`Picture ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={cx(
          "focus-inset min-h-0 flex-1 overflow-auto bg-surface-sunken",
          isWhole && "flex items-center justify-center p-4",
        )}
      >
        <img
          src={link.data.url}
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
            // A drawing without a size of its own would be a dot.
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
              { value: "fit", label: "Whole" },
              { value: "full", label: "100 %" },
            ]}
            onChange={(value) => setWhole(value === "fit")}
            className="h-6!"
          />
        }
      >
        {size === null
          ? "Reading the picture…"
          : size.width > 0
            ? `${size.width.toLocaleString("en-GB")} × ${size.height.toLocaleString("en-GB")} pixels`
            : "A drawing without a size of its own"}
      </ListFoot>
    </>
  );
}
