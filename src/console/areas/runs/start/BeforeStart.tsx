import FileText from "lucide-react/icons/file-text";
import TextCursorInput from "lucide-react/icons/text-cursor-input";
import Webhook from "lucide-react/icons/webhook";
import type { ReactNode } from "react";
import { ListSelect } from "../../../lib/list/ListSelect.tsx";
import { useTeamsWith } from "../../../lib/rights/rights.ts";
import { cx } from "../../../ui/cx.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { ownersOf, useSignedIn } from "../../session/index.ts";
import { valueWord } from "../run-row.ts";
import type { Routed, Routing } from "./routing.ts";

type PreviewProps = {
  routing: Routing;
  isUnknown: boolean;
  /** Null: the service does not tell. */
  hasWebhook: boolean | null;
};

/** What each input will get, worked out while typing, before anything starts. */
export function InputPreview({ routing, isUnknown, hasWebhook }: PreviewProps) {
  const { inputs, strays, webhook } = routing;
  return (
    <section aria-label="Inputs">
      <header className="border-b px-edge-left py-3">
        <div className="flex items-baseline justify-between gap-3">
          <h2 className="font-semibold">Inputs</h2>
          <span className="text-muted text-secondary tabular-nums">
            {isUnknown
              ? "unknown inputs"
              : inputs.length === 1
                ? "1 named input"
                : `${inputs.length} named inputs`}
          </span>
        </div>
        <p className="text-muted text-secondary">Updates as you type</p>
      </header>
      {hasWebhook !== false && (
        <Row
          icon={<Webhook />}
          name={hasWebhook ? "Webhook input" : "Webhook input, if any"}
          origin="whole body"
        >
          <code className="text-mono-narrow">{webhook.slice(0, 200)}</code>
        </Row>
      )}
      {inputs.map((input) => (
        <Row
          key={input.name}
          icon={input.isFile ? <FileText /> : <TextCursorInput />}
          name={input.name}
          origin={originWord(input)}
          isTrouble={input.misspelt !== null || isMissing(input)}
        >
          {valueInWords(input)}
        </Row>
      ))}
      {strays.length > 0 && (
        <div className="border-b px-edge-left py-2.5">
          <p className="font-semibold">Matches no input</p>
          <p className="text-muted text-secondary">
            {strays.map((stray, at) => (
              <span key={stray.name}>
                {at > 0 && ", "}
                <code>{stray.name}</code>
                {stray.meant !== null && ` (${stray.meant}?)`}
              </span>
            ))}
            {hasWebhook === false ? ": not used by this flow" : ": only in the webhook text"}
          </p>
        </div>
      )}
      <p className="px-edge-left py-3 text-muted text-secondary">
        Keys, cookies and headers sent by the browser or a proxy never become inputs.
      </p>
    </section>
  );
}

function originWord(input: Routed): string {
  const { origin } = input;
  if (origin.from === "body") return input.isFile ? "body, file name" : "body";
  if (origin.from === "header") return `header ${origin.header}`;
  if (isMissing(input)) return "required";
  return input.misspelt === null ? "not sent" : "not sent";
}

const isMissing = ({ origin, otherwise }: Routed): boolean =>
  origin.from === "nothing" && otherwise?.isRequired === true;

function valueInWords({ origin, otherwise }: Routed): string {
  if (origin.from === "nothing") {
    if (otherwise === undefined) return "the flow’s default, or empty";
    if (otherwise.isRequired) return "nothing yet";
    return otherwise.text === "" ? "empty" : `${otherwise.text} (default)`;
  }
  return valueWord(origin.value) || "empty";
}

type RowProps = { icon: ReactNode; name: string; origin: string; isTrouble?: boolean; children: ReactNode };

function Row({ icon, name, origin, isTrouble = false, children }: RowProps) {
  return (
    <div className="flex gap-2.5 border-b px-edge-left py-2">
      <span className={cx("mt-[3px] flex text-muted", isTrouble && "text-state-stopped-fg")}>{icon}</span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <span className="truncate font-medium">{name}</span>
          <span className={cx("shrink-0 text-secondary", isTrouble ? "text-state-stopped-fg" : "text-muted")}>
            {origin}
          </span>
        </div>
        <p className="truncate text-muted text-secondary">{children}</p>
      </div>
    </div>
  );
}

type Props = { projectId: string | null; onChange: (projectId: string | null) => void };

/** Whose the run will be: only the person's, or a team's, so that its members may see, stop and download it. */
export function BelongsTo({ projectId, onChange }: Props) {
  const { only, teams: all } = ownersOf(useSignedIn());
  const { teams, leftOut } = useTeamsWith(all, "operate");
  const name = teams.find((team) => team.id === projectId)?.name ?? projectId;
  return (
    <section aria-label="Belongs to" className="shrink-0 border-t px-edge-left py-3.5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">Belongs to</h2>
        {only !== null ? (
          <span className="text-muted">{only}</span>
        ) : teams.length === 0 ? (
          <span className="text-muted">Only you</span>
        ) : teams.length === 1 ? (
          <Segmented
            label="Belongs to"
            options={[
              { value: "", label: "Only you" },
              { value: teams[0]?.id ?? "", label: teams[0]?.name ?? "" },
            ]}
            value={projectId ?? ""}
            onChange={(value) => onChange(value === "" ? null : value)}
          />
        ) : (
          <ListSelect
            label="Belongs to"
            value={projectId ?? undefined}
            options={[["", "Only you"], ...teams.map((team) => [team.id, team.name] as const)]}
            onChange={(id) => onChange(id ?? null)}
          />
        )}
      </div>
      <p className="pt-1.5 text-muted text-secondary">
        {projectId === null && only === null
          ? "Only you can see, stop and download it. All nodes use your connections."
          : `All members of ${name ?? "the team"} can see it; operators, editors and admins can stop and download it. Nodes set to “team” use the team’s connections, others use yours.`}
        {leftOut && ` ${leftOut}`}
      </p>
    </section>
  );
}
