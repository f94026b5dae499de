import Building from "lucide-react/icons/building-2";
import type { ReactNode } from "react";
import { Tag } from "../../ui/Tag.tsx";
import type { Access } from "./access.ts";
import { withOrganization } from "./edits.ts";
import type { Edits } from "./plan.ts";
import { RoleSelect, roleWord } from "./RoleSelect.tsx";

type Props = {
  base: Access;
  after: Access;
  edits: Edits;
  isDisabled: boolean;
  error: ReactNode;
  onEdit: (edits: Edits) => void;
};

/** The access of everybody in the organisation. */
export function OrganizationRow({ base, after, edits, isDisabled, error, onEdit }: Props) {
  const was = base.organization;
  const isEdited = was !== after.organization;
  return (
    <section aria-label="Organisation" className="mt-2 border-t py-1.5">
      <div className="flex min-h-8 items-center gap-2.5">
        <span className="flex w-5 shrink-0 justify-center text-muted max-sm:hidden">
          <Building />
        </span>
        <span className="min-w-0 flex-1">Everyone in the organisation</span>
        {isEdited && <Tag tone="edited">{was === null ? "added" : `was ${roleWord(was)}`}</Tag>}
        <RoleSelect
          label="Role of everyone in the organisation"
          role={after.organization}
          none="No access"
          isDisabled={isDisabled}
          onChange={(role) => onEdit(withOrganization(edits, role))}
          onNone={() => onEdit(withOrganization(edits, null))}
        />
      </div>
      {error !== null && (
        <p role="alert" className="text-secondary text-state-failed-fg">
          {error}
        </p>
      )}
    </section>
  );
}
