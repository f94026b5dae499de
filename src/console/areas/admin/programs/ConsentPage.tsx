import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { connectionDays, scopes as knownScopes } from "../../../../contract/scopes.ts";
import { saidBy } from "../../../api/describe-error.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { NotDone, ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Button } from "../../../ui/Button.tsx";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { AdminLink } from "../AdminFrame.tsx";
import { fullName } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { adminQueries, type ProgramRequest } from "../queries.ts";
import { answerAddress, scopeSentence } from "./words.ts";

/** A program asks to act for the person: what it will be able to do, and the answer. */
export function ConsentPage({ request }: { request: string }) {
  const { who } = useApi();
  const canPrograms = useCan("programs");
  if (!canPrograms)
    return (
      <Bare>
        <EmptyState title="This service lets no programs in">
          The connection that you are signed in to is not the one that the program asks. Choose the other one,
          then start again in the program.
        </EmptyState>
      </Bare>
    );
  if (who.kind === "team")
    return (
      <Bare>
        <EmptyState title="Only a person can allow this">
          You are signed in with a team’s key, which belongs to no person. Sign out, sign in as yourself, then
          start again in the program.
        </EmptyState>
      </Bare>
    );
  return <Asking request={request} />;
}

function Bare({ children }: { children: ReactNode }) {
  return (
    <Page title="Allow a program" heading="Allow a program">
      {children}
    </Page>
  );
}

/** What asking once more would not change. */
const final = new Set(["not_found", "program_refused"]);

function Asking({ request }: { request: string }) {
  const read = useRead(adminQueries.request(useApi(), request));
  if (read.data === undefined)
    return (
      <Bare>
        {read.error instanceof ConsoleError && final.has(read.error.code ?? "") ? (
          <EmptyState title="This program cannot be let in">
            {saidBy(read.error)} You can start again in the program.
          </EmptyState>
        ) : read.isError ? (
          <ReadFailure query={read} what="What the program asks" />
        ) : (
          <SkeletonRows label="Loading what the program asks" rows={6} columns={["2fr"]} />
        )}
      </Bare>
    );
  return <Asked request={request} asked={read.data.data} />;
}

function Asked({ request, asked }: { request: string; asked: ProgramRequest }) {
  const answer = useMutation(adminMutations.answerProgram(useApi()));
  const name = shownName(asked.program?.name || asked.program?.id || "A program");
  const isVerified = asked.program?.kind === "registered";
  const scopes = (asked.scopes ?? []).flatMap((scope) => (scope ? [scope] : []));
  const person = asked.user?.id ? fullName({ ...asked.user, id: asked.user.id }) : "you";
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const given = scopes.filter((scope) => !left.has(scope));
  const toggle = (scope: string) =>
    setLeft((old) => new Set(old.has(scope) ? [...old].filter((one) => one !== scope) : [...old, scope]));
  const say = (allow: boolean) =>
    answer.mutate(
      {
        params: { request_id: request },
        // All of it is what every service takes.
        body:
          allow && left.size > 0
            ? { allow, scopes: knownScopes.filter((one) => given.includes(one)) }
            : { allow },
      },
      {
        onSuccess: ({ data }) => {
          const address = answerAddress(data.redirect_url);
          if (address !== null) window.location.assign(address);
        },
      },
    );
  if (answer.isSuccess)
    return (
      <Bare>
        <EmptyState title={answer.variables.body.allow ? "Allowed" : "Refused"}>
          You are sent back to {asked.answers_to || "the program"}. If nothing happens, you can close this
          page.
        </EmptyState>
      </Bare>
    );
  return (
    <Page title={`Allow ${name}?`} heading="Allow a program">
      {!isVerified && (
        <Notice kind="waits" title="The name is not verified">
          The program calls itself that. Only where it comes from is certain:{" "}
          <bdi className="font-medium">{asked.program?.host || "unknown"}</bdi>. Allow it only if you started
          this yourself and trust whoever runs that address.
        </Notice>
      )}
      <div className="max-w-text py-5 pr-edge-right pl-edge-left">
        <h2 className="text-title [overflow-wrap:anywhere]">
          Allow <bdi>{name}</bdi> to act for you?
        </h2>
        <p className="mt-1 text-muted">
          {isVerified ? "An admin registered it here." : <bdi>{asked.program?.id}</bdi>}
        </p>
        <Scopes scopes={scopes} left={left} onToggle={toggle} />
        <p className="mt-2 text-muted">
          Never more than you may yourself. It never gets your keys or password, and cannot manage people,
          teams, keys, sessions or other programs.
        </p>
        <dl className="mt-5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
          <Fact name="As">
            <bdi>{person}</bdi>
            {asked.user?.email && (
              <>
                {" "}
                <bdi className="text-muted">{asked.user.email}</bdi>
              </>
            )}
          </Fact>
          <Fact name="Until">
            you end it, or {connectionDays} days pass without it being used. You end it under{" "}
            <AdminLink search={{ tab: "connected" }}>Administration, Connected programs</AdminLink>.
          </Fact>
          <Fact name="Goes back to">
            <bdi>{asked.answers_to}</bdi>
          </Fact>
        </dl>
        <div className="mt-6 flex flex-wrap gap-2">
          <Button
            variant="primary"
            loading={answer.isPending && answer.variables.body.allow}
            disabledReason={given.length === 0 ? "Leave at least one of them ticked, or refuse" : undefined}
            onClick={() => !answer.isPending && say(true)}
          >
            Allow access
          </Button>
          <Button
            loading={answer.isPending && !answer.variables.body.allow}
            onClick={() => !answer.isPending && say(false)}
          >
            Refuse
          </Button>
        </div>
        {answer.error !== null && (
          <div className="mt-4">
            <NotDone error={answer.error} title="Your answer was not taken" />
          </div>
        )}
      </div>
    </Page>
  );
}

type ScopesProps = {
  scopes: readonly string[];
  left: ReadonlySet<string>;
  onToggle: (scope: string) => void;
};

/** What it asks to be let do; of several each can be taken out. */
function Scopes({ scopes, left, onToggle }: ScopesProps) {
  const id = useId();
  const [only, ...others] = scopes;
  if (others.length === 0)
    return (
      <>
        <h3 className="mt-5 font-semibold">It will be able to</h3>
        {only !== undefined && <p className="mt-1">{scopeSentence(only)}</p>}
      </>
    );
  return (
    <fieldset className="mt-5">
      <legend className="font-semibold">It will be able to</legend>
      <ul className="mt-1">
        {scopes.map((scope) => (
          <li key={scope} className="mt-1.5 flex gap-2.5">
            <span className="pt-[3px] leading-none">
              <Checkbox
                id={`${id}-${scope}`}
                aria-label={scopeSentence(scope)}
                checked={!left.has(scope)}
                onChange={() => onToggle(scope)}
              />
            </span>
            <label htmlFor={`${id}-${scope}`} className={`min-w-0 ${left.has(scope) ? "text-faint" : ""}`}>
              {scopeSentence(scope)}
            </label>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-muted">Untick what it should not do.</p>
    </fieldset>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline">
      <dt className="text-muted text-secondary">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
