import { use, useMemo, useState } from "react";
import { type FileVersion, Preview } from "../artifacts/index.ts";

import type { OpenedFile } from "./shared-link.ts";
import { shownFilename } from "./shared-link.ts";
import { Surrounded, type Surroundings } from "./surroundings.tsx";

type Props = {
  /** Made once in a page; the same promise at each render. */
  surroundings: Promise<Surroundings>;
  file: OpenedFile;
  onRenew: () => Promise<OpenedFile | null>;
};

/** How the file looks: the same previews as in the console, with nothing of the console around them. */
export default function FilePreview({ surroundings, file, onRenew }: Props) {
  const around = use(surroundings);
  const [page, setPage] = useState<number | undefined>();
  const { created_at, size, media_type, preview_url, download_url } = file;
  const address = preview_url ?? download_url ?? null;
  // The bytes of a version never change; only the address that leads to them does.
  const version = useMemo<FileVersion>(
    () => ({
      key: created_at ?? "newest",
      number: null,
      isNewest: true,
      at: created_at ?? null,
      size: size ?? null,
      mediaType: media_type ?? null,
      by: null,
      url: address,
      renew: async () => {
        const fresh = await onRenew();
        return fresh?.preview_url ?? fresh?.download_url ?? null;
      },
    }),
    [created_at, size, media_type, address, onRenew],
  );
  return (
    <Surrounded by={around}>
      <Preview
        version={version}
        filename={file.filename ?? null}
        name={shownFilename(file.filename)}
        page={page}
        onPage={setPage}
      />
    </Surrounded>
  );
}
