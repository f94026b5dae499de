import ListFilter from "lucide-react/icons/list-filter";
import { type ComponentProps, type ReactNode, useState } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { PageSearch } from "../paging/PageSearch.tsx";
import { phone, useMedia } from "../useMedia.ts";

type Props = {
  search: Omit<ComponentProps<typeof PageSearch>, "className"> & { className?: string };
  children?: ReactNode;
  /** Filters that stand behind one button on phones, unless one of them is set. */
  filters?: ReactNode;
  isFiltered?: boolean;
  /** Order and view, at the right. */
  end?: ReactNode;
};

/** The line over a list: its search, its filters and its order; all of them stand in the address. */
export function ListTools({ search, children, filters, isFiltered = false, end }: Props) {
  const isPhone = useMedia(phone);
  const [isOpen, setOpen] = useState(false);
  // Also once none is set any more: whoever takes the last one away is still there.
  if (isFiltered && !isOpen) setOpen(true);
  const showsAll = !isPhone || isOpen;
  return (
    <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-1.5 py-2 pr-edge-right pl-edge-left">
      <PageSearch className="w-60 max-sm:min-w-40 max-sm:flex-1" {...search} />
      {children}
      {filters !== undefined && !showsAll && (
        <IconButton size="small" variant="plain" label="More filters" onClick={() => setOpen(true)}>
          <ListFilter />
        </IconButton>
      )}
      {showsAll && filters}
      {end}
    </div>
  );
}
