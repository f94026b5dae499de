import type { ReactNode } from "react";
import { describeError } from "../../../api/describe-error.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import type { Check, SignInDraft } from "../sign-in.ts";

type Props = { check: Check; draft: SignInDraft; actions?: ReactNode };

/** Whose refusal it is, what it means, and the next step; the code and the request id last. */
export function Refused({ check, draft, actions }: Props) {
  const { title, text } = wordsOf(check, draft);
  return (
    <div className="flex flex-col gap-3">
      <Notice kind="failed" look="box" title={title}>
        <p className="text-muted">{text}</p>
        <p className="mt-1 flex items-center gap-1 text-muted text-secondary">
          <Refusal error={check.problem?.error} />
        </p>
      </Notice>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}

function wordsOf(
  { problem }: Check,
  { connection, credential }: SignInDraft,
): { title: string; text: string } {
  const error = problem?.error;
  const code = error instanceof ConsoleError ? error.code : null;
  if (problem?.kind === "membership") {
    const team = credential.teamId === null ? "the key’s team" : credential.teamId;
    return credential.kind === "team"
      ? {
          title: `${credential.userId ?? "This user"} is not a member of ${team}`,
          text: "A team key may act for members only. Ask someone of the team to add you, or name a member.",
        }
      : {
          title: `This key does not act for ${credential.userId ?? "this user"}`,
          text: "A personal key acts as its owner alone. Write your own user id, or take a team key.",
        };
  }
  if (code === "plan_upgrade_required") {
    return {
      title: "The key is right, but your plan does not allow keys",
      text: "Keys need Pro or above, and the owner of this one is below it now. An access token works on every plan.",
    };
  }
  if (problem?.kind === "refused") {
    const end = credential.secret.slice(-4);
    return {
      title: `${connection.name} does not know this ${credential.kind === "token" ? "token" : "key"}`,
      text: `It may be mistyped, deleted, or made for another connection. Look at its last letters, ${end}.`,
    };
  }
  const { what, means, next } = describeError(error);
  return { title: `${connection.name} could not be asked`, text: `${what} ${means} ${next}` };
}
