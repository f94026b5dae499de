import { Link } from "@tanstack/react-router";
import { MenuItem } from "../../ui/Menu.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";
import type { Keep } from "./useKeep.ts";

/** Beside the state of what is kept from retention; it leads to what is not. */
export function KeptMark({ keep }: { keep: Keep | null }) {
  if (keep?.isKept)
    return (
      <Tooltip content={`Retention never deletes this ${keep.noun}`}>
        <Link to="/retention" className="shrink-0 rounded-tag hover:text-accent">
          <Tag>Kept</Tag>
        </Link>
      </Tooltip>
    );
  return keep?.asked ? <Tag>Keep requested…</Tag> : null;
}

/** Keeps something, or no longer; an item of its menu. */
export function KeepItem({ keep }: { keep: Keep }) {
  const { noun, isKept, asked, toggle } = keep;
  return (
    <MenuItem disabled={asked !== null} onSelect={toggle}>
      {isKept ? "Stop keeping" : `Keep this ${noun}`}
    </MenuItem>
  );
}
