import FileX from "lucide-react/icons/file-x";
import Globe from "lucide-react/icons/globe";
import type { ReactNode } from "react";
import { ConsoleError } from "../../../api/errors.ts";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { Button } from "../../../ui/Button.tsx";
import { LiesElsewhere } from "../read-file.ts";
import type { FileTrouble } from "../worker/file-service.ts";
import { Remark } from "./Remark.tsx";

type Props = { error: unknown; onRetry: () => void; isRetrying: boolean };

/** A file could not be read: its link ended, it is gone, or nothing answers. */
export function FileFailure({ error, onRetry, isRetrying }: Props) {
  if (error instanceof LiesElsewhere) {
    return (
      <Remark icon={<Globe />} title={`This file lies at ${error.host}`}>
        The console asks no other place than its own service, so it is not shown here.
      </Remark>
    );
  }
  const status = error instanceof ConsoleError ? error.status : null;
  if (status === 401 || status === 403 || status === 410) {
    return (
      <Remark
        isAlert
        icon={<FileX />}
        title="The link to this file has ended, and so has the one that replaced it"
        actions={
          <Button onClick={onRetry} loading={isRetrying}>
            Ask for another
          </Button>
        }
      >
        The place of the file answered {status}.
      </Remark>
    );
  }
  return <Failure error={error} what="The file" onRetry={onRetry} isRetrying={isRetrying} />;
}

const words: Readonly<Record<FileTrouble, readonly [title: string, means: string]>> = {
  broken: ["This file cannot be read", "It is damaged, or it is something else than it says."],
  protected: ["This file is protected by a password", "It can be downloaded and opened elsewhere."],
  "too big": ["This file is too big to be shown", "Unpacked it would take more memory than a page may."],
  "no reader": [
    "The reader of this file has stopped",
    "It took too long, needed too much memory, or could not be loaded. Opening the file again starts a new one.",
  ],
};

/** The bytes are there, but they are not what they should be. */
export function FileTroubled({ why, children }: { why: FileTrouble; children?: ReactNode }) {
  const [title, means] = words[why];
  return (
    <Remark isAlert icon={<FileX />} title={title} actions={children}>
      {means}
    </Remark>
  );
}
