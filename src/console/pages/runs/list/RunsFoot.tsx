import { Button } from "../../../ui/Button.tsx";
import { Kbd } from "../../../ui/Kbd.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import type { RunList } from "./run-list.ts";

type Props = { list: RunList; isService: boolean; isFiltered: boolean };

/** What the list holds, from whom, and what it leaves out. */
export function RunsFoot({ list, isService, isFiltered }: Props) {
  const count = list.rows.length;
  const runs = count === 1 ? "1 run" : `${count} runs`;
  const words = isService
    ? list.older
      ? `The newest ${runs} of this service`
      : isFiltered
        ? `${runs} of this service fit`
        : `${runs}, all that this service knows for you`
    : `${runs} that this browser knows. This service does not list runs that were started elsewhere`;
  return (
    <div className="sticky bottom-0 z-sticky mt-auto">
      <ListFoot
        keys={
          <>
            <span className="flex items-center gap-1">
              <Kbd>j</Kbd>
              <Kbd>k</Kbd> move
            </span>
            <span className="flex items-center gap-1">
              <Kbd>enter</Kbd> open
            </span>
          </>
        }
      >
        {words}
        {list.older && (
          <Button
            variant="quiet"
            size="small"
            onClick={list.older.read}
            loading={list.older.isReading}
            className="ml-2"
          >
            {list.older.error === null ? "Show older" : "They could not be read. Try again"}
          </Button>
        )}
      </ListFoot>
    </div>
  );
}
