import { type FormEvent, useState } from "react";
import type { Credential } from "../../../api/request.ts";
import { Button } from "../../../ui/Button.tsx";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { RadioRows } from "../../../ui/Choices.tsx";
import { Field, NativeSelect, PasswordInput } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { readLastSignIn, rememberSignIn } from "../last-sign-in.ts";
import type { Answers, SignInDraft } from "../sign-in.ts";
import type { SignedIn } from "../signed-in.ts";
import { useWheelhouse } from "../wheelhouse.tsx";
import { CheckLines, Refused, useChecks, useProbes } from "./Checks.tsx";

/** Merely reading it can throw. */
const shared = () => window.localStorage;

type Kind = Credential["kind"];

const kinds: readonly { value: Kind; label: string }[] = [
  { value: "personal", label: "Personal key" },
  { value: "team", label: "Team key" },
  { value: "token", label: "Access token" },
];
const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

type Props = {
  /** Called with each change of a field. */
  onEdit: () => void;
  onDone: (as: SignedIn) => void;
};

/** The form of the sign-in page. The checks run by themselves as soon as there is enough to check. */
export function SignInForm({ onEdit, onDone }: Props) {
  const { connections } = useWheelhouse();
  const [last] = useState(() => readLastSignIn(shared));
  const [path, setPath] = useState(
    () => (connections.find((one) => one.path === last?.path) ?? connections[0])?.path ?? "",
  );
  const [kind, setKind] = useState<Kind>(last?.kind ?? "personal");
  const [secret, setSecret] = useState("");
  const [userId, setUserId] = useState(last?.userId ?? "");
  const [teamId, setTeamId] = useState(last?.teamId ?? "");
  const [thisTabOnly, setThisTabOnly] = useState(false);
  const { answers, again: askAgain } = useProbes(connections);

  const connection = connections.find((one) => one.path === path);
  const isEnough = secret.trim().length >= 8;
  const draft: SignInDraft | null =
    connection && isEnough
      ? {
          connection,
          credential: { kind, secret: secret.trim(), userId: orNull(userId), teamId: orNull(teamId) },
          thisTabOnly,
        }
      : null;
  const { checks, result, again } = useChecks(draft);
  const failed = checks.find((check) => check.status === "failed");
  const needsUser = failed?.problem?.kind === "nameless";
  const left = checks.filter((check) => check.status === "waiting" || check.status === "running").length;
  const teams = result?.teams ?? null;
  const name = connection?.name ?? "";

  const missing = (): string => {
    if (needsUser) return "Enter your user ID";
    if (isEnough) return left === 1 ? "One check left" : "Checking…";
    return kind === "token" ? "Enter a token" : "Enter a key";
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!result) return;
    rememberSignIn(shared, result);
    onDone(result);
  };
  return (
    <form onSubmit={submit} onChange={onEdit} className="flex flex-col gap-5">
      <RadioRows
        isTall
        legend="Connection"
        hint="Connections are set when the service starts."
        value={path}
        onChange={(next) => {
          setPath(next);
          const picked = connections.find((one) => one.path === next);
          if (picked && answers[next]?.answers === false) askAgain(picked);
        }}
        rows={connections.map((one) => ({
          value: one.path,
          name: one.name,
          about: one.kind === "own" ? "This service" : "Upstream service",
          state: <AnswerWords answers={answers[one.path]} />,
        }))}
      />
      <div>
        <p className="mb-1 font-medium" aria-hidden="true">
          Sign in with{" "}
        </p>
        <Segmented
          label="Sign in with"
          isWide
          size="normal"
          options={kinds}
          value={kind}
          onChange={setKind}
        />
      </div>
      <Field label={kind === "token" ? "Access token" : "Key"} aside={`for ${name}`}>
        <PasswordInput
          what={kind === "token" ? "token" : "key"}
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
          aria-invalid={failed?.problem?.kind === "refused" || undefined}
        />
      </Field>
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <Field
          label="User ID"
          {...(!needsUser && { aside: "optional" })}
          hint={kind === "personal" ? "Detected from your key" : "Sent with every request"}
          error={needsUser && `${name} can’t tell whose key this is. Enter your user ID.`}
        >
          <Input
            isMono
            autoComplete="off"
            spellCheck={false}
            value={userId}
            onChange={(event) => setUserId(event.target.value)}
            aria-invalid={failed?.problem?.kind === "membership" || undefined}
          />
        </Field>
        <TeamField
          teams={teams}
          none={kind === "team" ? "The key’s team" : "None (only you)"}
          value={teamId}
          onChange={setTeamId}
        />
      </div>
      <CheckLines checks={checks.filter((check) => check !== failed)} connection={name} teams={teams} />
      {failed && draft && !needsUser && (
        <Refused
          check={failed}
          draft={draft}
          actions={
            <>
              <Button variant="primary" onClick={again}>
                Check again
              </Button>
              {failed.problem?.kind === "refused" && kind !== "token" && (
                <Button onClick={() => setKind("token")}>Use an access token</Button>
              )}
            </>
          }
        />
      )}
      <div className="flex items-center justify-between gap-4">
        {failed && !needsUser ? (
          <span />
        ) : (
          <Button type="submit" variant="primary" disabledReason={result ? undefined : missing()}>
            Sign in
          </Button>
        )}
        <Checkbox
          label="For this tab only"
          checked={thisTabOnly}
          onChange={(event) => setThisTabOnly(event.target.checked)}
        />
      </div>
    </form>
  );
}

type TeamFieldProps = {
  teams: SignedIn["teams"];
  /** What it means that none is chosen. */
  none: string;
  value: string;
  onChange: (teamId: string) => void;
};

/** The team that owns what is started: chosen where the service lists them, else typed. */
function TeamField({ teams, none, value, onChange }: TeamFieldProps) {
  return (
    <Field label="Team" aside="optional" hint="Owns what you start">
      {teams && teams.length > 0 ? (
        <NativeSelect value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{none}</option>
          {teams.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </NativeSelect>
      ) : (
        <Input
          isMono
          autoComplete="off"
          spellCheck={false}
          placeholder="team ID"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function AnswerWords({ answers }: { answers: Answers | undefined }) {
  if (answers === undefined) return "connecting…";
  if (answers.answers) return `reachable, ${Math.round(answers.ms)} ms`;
  return (
    <span className="inline-flex items-center gap-1.5 text-state-failed-fg">
      <StateShape tone="failed" /> not responding
    </span>
  );
}
