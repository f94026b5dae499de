import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { NotDone } from "../../../lib/failure/Failure.tsx";
import { TableList } from "../../../lib/list/ListView.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { ClockTime } from "../../../lib/time/ClockTime.tsx";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { AdminFrame } from "../AdminFrame.tsx";
import { ConfirmAction } from "../ConfirmAction.tsx";
import { newestCounted, programWords } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { type SessionRow, sessionPages } from "../queries.ts";
import { actionsColumn, RowAction, RowActions } from "../RowActions.tsx";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { OwnerPicker, useOwnerPicker } from "./OwnerPicker.tsx";

type Props = { roles: OwnRoles; search: AdminSearch };

/** Where somebody is signed in with a browser; each can be ended, or all others at once. */
export function SessionsView({ roles, search }: Props) {
  const api = useApi();
  const user = search.user;
  const { rows, ...list } = usePages(sessionPages(api, user === undefined ? {} : { user }));
  const whose = useOwnerPicker(roles, user === undefined ? {} : { user });
  const [isEnding, setEnding] = useState(false);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const onEnd: OnEnd = (row, error) =>
    setRefused((now) => [
      ...now.filter((one) => one.row.id !== row.id),
      ...(error === null ? [] : [{ row, error }]),
    ]);
  const isMine = whose.kind === "me";
  const others = rows.filter(({ current }) => !current).length;
  // It may be among those that were not read.
  const hasCurrent = rows.some(({ current }) => current) || (isMine && list.more !== null);
  return (
    <AdminFrame
      roles={roles}
      tab="sessions"
      title={isMine ? "Sessions" : `Sessions of ${whose.name}`}
      live={list.query.queryKey}
      actions={
        <Button
          onClick={() => setEnding(true)}
          reasonAs="title"
          disabledReason={others === 0 ? "There are no others" : undefined}
        >
          {hasCurrent ? "End all others" : "End all"}
        </Button>
      }
    >
      <OwnerPicker whose={whose} tab="sessions" mine="My sessions" />
      {refused.map(({ row, error }) => (
        <div key={row.id} className="px-edge-left py-2">
          <NotDone error={error} title={`${browserOf(row)} was not signed out`} />
        </div>
      ))}
      <TableList
        list={list}
        what="The sessions"
        table={{ label: "Sessions", columns: columns(onEnd), rows, idOf: ({ id }) => id }}
        phone={(row) => <PhoneRow row={row} onEnd={onEnd} />}
        empty={
          <EmptyState title={isMine ? "No browser sessions" : `${whose.name} has no browser sessions`}>
            Browsers that signed in with a link appear here.{" "}
            {isMine && "You are signed in with a key now, which stands under API keys."}
          </EmptyState>
        }
        foot={newestCounted(rows.length, list.more, "session")}
      />
      {isEnding && <EndAll whose={whose} keepsCurrent={hasCurrent} onClose={() => setEnding(false)} />}
    </AdminFrame>
  );
}

const browserOf = ({ signed_in_from: from, last_used_from: last }: SessionRow): string =>
  programWords(from?.user_agent ?? last?.user_agent);
const placeOf = ({ signed_in_from: from, last_used_from: last }: SessionRow): string =>
  last?.address ?? from?.address ?? "unknown";

type Refused = { row: SessionRow; error: Error };
/** Hears when one is about to be ended, and why it was not. */
type OnEnd = (row: SessionRow, error: Error | null) => void;

const columns = (onEnd: OnEnd): Columns<SessionRow> => ({
  browser: {
    head: "Browser",
    title: ({ signed_in_from: from }) => from?.user_agent,
    cell: (row) => (
      <span className="flex items-baseline gap-2.5">
        <span className="truncate font-medium">{browserOf(row)}</span>
        {row.current && <Tag tone="edited">This browser</Tag>}
      </span>
    ),
  },
  place: { head: "Address", width: 160, kind: "muted", cell: (row) => <bdi>{placeOf(row)}</bdi> },
  used: {
    head: "Last used",
    width: 120,
    cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : <span className="text-faint">not yet</span>),
  },
  made: {
    head: "Signed in",
    width: 110,
    kind: "muted",
    className: "@max-[700px]:hidden",
    cell: ({ created_at: at }) => <Ago at={at} />,
  },
  ends: {
    head: "Ends",
    width: 150,
    kind: "muted",
    className: "@max-[820px]:hidden",
    cell: ({ expires_at: at }) => <ClockTime at={at} />,
  },
  end: { ...actionsColumn, cell: (row) => <Actions row={row} onEnd={onEnd} /> },
});

function Actions({ row, onEnd }: { row: SessionRow; onEnd: OnEnd }) {
  const toaster = useToast();
  const browser = browserOf(row);
  const name = `session of ${browser}`;
  // Of each row one: several are ended faster than a service answers.
  const end = useMutation({
    ...adminMutations.endSession(useApi()),
    onSuccess: () => toaster.show({ tone: "stopped", title: `${browser} signed out` }),
    onMutate: () => onEnd(row, null),
    onError: (error) => onEnd(row, error),
  });
  return (
    <RowActions kind="session" id={row.id} name={name}>
      {row.current ? (
        <span className="text-faint text-secondary" title="Sign out in the settings menu">
          in use
        </span>
      ) : (
        <RowAction
          label={`End ${name}`}
          loading={end.isPending}
          onClick={() => end.mutate({ params: { session_id: row.id } })}
        >
          End
        </RowAction>
      )}
    </RowActions>
  );
}

function PhoneRow({ row, onEnd }: { row: SessionRow; onEnd: OnEnd }) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2.5">
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 truncate font-medium">{browserOf(row)}</span>
          {row.current && <Tag tone="edited">This browser</Tag>}
        </span>
        <span className="block truncate text-muted text-secondary">
          <bdi>{placeOf(row)}</bdi>,{" "}
          {row.last_used_at ? (
            <>
              used <Ago at={row.last_used_at} />
            </>
          ) : (
            "not used yet"
          )}
        </span>
        <span className="block truncate text-muted text-secondary">
          Signed in <Ago at={row.created_at} />
        </span>
      </span>
      <Actions row={row} onEnd={onEnd} />
    </div>
  );
}

type EndAllProps = { whose: ReturnType<typeof useOwnerPicker>; keepsCurrent: boolean; onClose: () => void };

function EndAll({ whose, keepsCurrent, onClose }: EndAllProps) {
  return (
    <ConfirmAction
      onClose={onClose}
      title={
        whose.kind === "user" ? (
          <>
            End all sessions of <bdi>{whose.name}</bdi>?
          </>
        ) : keepsCurrent ? (
          "End all other sessions?"
        ) : (
          "End all your sessions?"
        )
      }
      consequence={`The next request of each is refused. ${
        whose.kind === "user" ? "They need a new link to sign in; their" : "Your"
      } API keys keep working.`}
      action="End sessions"
      mutation={adminMutations.endSessions(useApi())}
      variables={{
        query: {
          ...(whose.kind === "user" && { user_id: whose.id }),
          ...(keepsCurrent && { keep_current: true }),
        },
      }}
      doneTitle={({ data }) => `${counted(data.ended ?? 0, "session")} ended`}
      failedTitle="The sessions were not ended"
    />
  );
}
