import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { usePreferences } from "../preferences/preferences.tsx";
import { formatMoment } from "../time/format.ts";
import type { Deleted } from "./deleted.ts";
import type { DeletionMutations } from "./queries.ts";
import { type Nouns, useDeletion } from "./useDeletion.ts";

type Props = {
  id: string;
  deleted: Deleted;
  nouns: Nouns;
  mutations: DeletionMutations;
  /** Where to go from here. */
  actions: ReactNode;
  /** It is there again. */
  onRestored: () => void;
  children: ReactNode;
};

/** In the place of something that the person deleted in this browser: until when it can be restored, and the button. */
export function DeletedHere({ id, deleted, nouns, mutations, actions, onRestored, children }: Props) {
  const { zone } = usePreferences();
  const { takeBack, isRestoring } = useDeletion(mutations, nouns);
  const restore = async () => {
    if (await takeBack([{ id, name: deleted.name }])) onRestored();
  };
  return (
    <EmptyState
      title={
        <>
          You deleted <bdi>{deleted.name}</bdi>
        </>
      }
      actions={
        <>
          <Button variant="primary" loading={isRestoring} onClick={() => void restore()}>
            Restore
          </Button>
          {actions}
        </>
      }
      foot={<Id id={id} what={`${nouns.one} id`} />}
    >
      {children} It can be restored as it was until {formatMoment(deleted.until, { zone })}; then it is gone
      for good.
    </EmptyState>
  );
}
