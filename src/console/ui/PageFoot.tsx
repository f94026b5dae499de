import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { type KeyHint, KeyHints } from "./KeyHints.tsx";
import { ListFoot } from "./Table.tsx";

/** What reads the next part of a list. */
export interface More {
  readonly label: string;
  readonly read: () => void;
  readonly isReading: boolean;
  /** Why the last try failed; null where none did. */
  readonly error: unknown;
}

type Props = {
  children?: ReactNode;
  keys?: readonly KeyHint[];
  /** What floats over the end of the page. */
  over?: ReactNode;
  /** Null: everything is there. */
  more?: More | null;
};

/** The foot of a page that scrolls: it stays at the lower edge. */
export function PageFoot({ children, keys, over, more }: Props) {
  return (
    <div className="sticky bottom-0 z-sticky mt-auto">
      {over}
      <ListFoot {...(keys && { keys: <KeyHints hints={keys} /> })}>
        {children}
        {more && (
          <Button variant="quiet" size="small" onClick={more.read} loading={more.isReading} className="ml-2">
            {more.error === null ? more.label : "They could not be read. Try again"}
          </Button>
        )}
      </ListFoot>
    </div>
  );
}
