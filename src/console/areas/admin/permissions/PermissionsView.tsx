import { type FormEvent, useRef, useState } from "react";
import { permissionObjects } from "../../../../contract/admin.ts";
import { isNotFound } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { useSettledText } from "../../../lib/paging/PageSearch.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Field, NativeSelect } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { useSignedIn } from "../../session/index.ts";
import { AdminFrame, AdminLink, useChangeSearch } from "../AdminFrame.tsx";
import { fullName } from "../labels.ts";
import { PersonPicker } from "../PersonPicker.tsx";
import { adminQueries, askedPermissions } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { Answers } from "./Answers.tsx";
import { ObjectPicker } from "./ObjectPicker.tsx";
import { objectNames } from "./words.ts";

type Props = { roles: OwnRoles; search: AdminSearch };

/** What a person can do with an object, and the rule behind each answer: for admins about anyone, for everyone about themselves. */
export function PermissionsView({ roles, search }: Props) {
  const me = useSignedIn().credential.userId;
  const asked = askedPermissions(search, me);
  const read = useRead(adminQueries.permissions(useApi(), asked ?? nothing, asked !== null));
  return (
    <AdminFrame
      roles={roles}
      tab="permissions"
      title="Permissions"
      live={asked !== null && !read.isError && read.queryKey}
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-edge-left py-5">
        <div className="flex max-w-[720px] flex-col gap-6">
          {/* What is typed stays where another person is chosen. */}
          <Question
            key={JSON.stringify([search.object, search.object_id])}
            roles={roles}
            search={search}
            me={me}
          />
          {asked === null ? (
            <EmptyState title="What can they do?" className="px-0!">
              Choose an object by part of its name, or by the ID shown on its page.
            </EmptyState>
          ) : (
            <section aria-label="Answer">
              <Stale query={read} />
              {read.data !== undefined ? (
                <Answers kind={asked.object} answers={read.data.data.answers ?? []} />
              ) : !read.isError ? (
                <SkeletonRows label="Loading the answer" rows={4} columns={["2fr", "90px", "3fr"]} />
              ) : isNotFound(read.error) ? (
                <EmptyState title={`${objectNames[asked.object]} or person not found`} className="px-0!">
                  {roles.isAdmin
                    ? "Check the ID. It may have been deleted."
                    : "Check the ID. It may have been deleted, or you may not see it."}
                </EmptyState>
              ) : (
                <ReadFailure query={read} what="The permissions" isInset />
              )}
            </section>
          )}
        </div>
      </div>
    </AdminFrame>
  );
}

const nothing = { user: "", object: "team", object_id: "" } as const;

/** Who, and about what. The address keeps both, so that the answer can be linked to. */
function Question({ roles, search, me }: Props & { me: string | null }) {
  const change = useChangeSearch();
  const [isChoosing, setChoosing] = useState(false);
  const changePerson = useRef<HTMLButtonElement>(null);
  const endChoice = () => {
    setChoosing(false);
    // What had the focus goes with the choice.
    changePerson.current?.focus();
  };
  const [object, setObject] = useState(() => kindOf(search.object));
  const [settled, setSettled] = useState(search.object_id ?? "");
  const [text, setText] = useSettledText(settled, setSettled);
  const user = search.user ?? me ?? undefined;
  const ask = (event: FormEvent) => {
    event.preventDefault();
    change({ object, object_id: text.trim() || undefined });
  };
  return (
    <form
      onSubmit={ask}
      onKeyDown={({ key }) => key === "Escape" && isChoosing && endChoice()}
      className="flex flex-col gap-4"
    >
      <div>
        <p className="font-medium">Person</p>
        <p className="flex flex-wrap items-center gap-x-3">
          <PersonName id={user} isMe={user === me} />
          {roles.isAdmin && (
            <Button
              ref={changePerson}
              size="small"
              aria-expanded={isChoosing}
              onClick={() => setChoosing(!isChoosing)}
            >
              Change person
            </Button>
          )}
        </p>
        {!roles.isAdmin && (
          <p className="text-muted text-secondary">
            {roles.unknown ?? "Only admins of the installation can ask about others."}
          </p>
        )}
        {isChoosing && (
          <div className="mt-2">
            <ChoosePerson
              user={user}
              onChoose={(chosen) => {
                endChoice();
                change({ user: chosen });
              }}
            />
          </div>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-[160px_1fr_auto] sm:items-end">
        <Field label="Object">
          <NativeSelect value={object} onChange={(event) => setObject(kindOf(event.target.value))}>
            {Object.entries(objectNames).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="Name or ID">
          <Input
            value={text}
            onChange={(event) => setText(event.target.value)}
            spellCheck={false}
            autoComplete="off"
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          disabledReason={text.trim() === "" ? "Enter an ID" : undefined}
          reasonAs="title"
        >
          Show
        </Button>
      </div>
      {settled !== search.object_id && (
        <ObjectPicker kind={object} text={settled} onPick={(object_id) => change({ object, object_id })} />
      )}
    </form>
  );
}

function ChoosePerson({ user, onChoose }: { user: string | undefined; onChoose: (id: string) => void }) {
  const [at, setAt] = useState(user);
  return <PersonPicker legend="Person" value={at} onChange={setAt} onPick={onChoose} without={new Set()} />;
}

const kindOf = (text: string | undefined) => permissionObjects.find((one) => one === text) ?? "agent";

function PersonName({ id, isMe }: { id: string | undefined; isMe: boolean }) {
  const read = useRead({ ...adminQueries.person(useApi(), id ?? ""), enabled: id !== undefined });
  const person = read.data?.data.person;
  const name = person?.id ? fullName({ ...person, id: person.id }) : shownName(id ?? "");
  if (id === undefined) return <span className="text-faint">No one chosen</span>;
  return (
    <>
      <AdminLink search={{ tab: "people", id }}>
        <bdi>{name}</bdi>
      </AdminLink>
      {isMe && <span className="text-muted text-secondary">you</span>}
    </>
  );
}
