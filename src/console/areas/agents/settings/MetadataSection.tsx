import { type ChangeEvent, type FormEvent, type ReactNode, useState } from "react";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { type JsonObject, own } from "../../../lib/json/json-value.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, NativeSelect, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { agentIcons, isAgentIcon } from "../../directory/index.ts";
import { type AgentForm, guard, offReasonOf, withoutSection, withSection } from "./form.ts";
import {
  type FormSection,
  fitsForm,
  isFormSection,
  newSectionProblem,
  otherKeys,
  readNumber,
  type SettingKey,
  sectionTitle,
  settingKeys,
  withKey,
} from "./metadata.ts";
import { FieldMarks, Section } from "./Section.tsx";
import { JsonField, TextList, useHeldText } from "./TypedFields.tsx";

/** One section of metadata: as a form where its keys are known, else as JSON. */
export function MetadataSection({ form, section }: { form: AgentForm; section: string }) {
  const value = own(form.mine.metadata, section);
  const path = `metadata.${section}` as const;
  const title = sectionTitle(section);
  const ofForm = isFormSection(section) && fitsForm(section, value) ? section : null;
  // What the service has cannot be taken out: sections merge (§4.14).
  const isAdded =
    value !== undefined && !isFormSection(section) && own(form.base.metadata, section) === undefined;
  return (
    <Section
      id={path}
      title={ofForm === "chat" ? "Starter prompts" : title}
      mark={<FieldMarks form={form} path={path} />}
      isNarrow={ofForm !== null}
      {...(isAdded &&
        form.offReason === undefined && {
          aside: (
            <Button
              size="small"
              variant="quiet"
              aria-label={`Remove ${section}`}
              onClick={() => form.write(withoutSection(form, section), path)}
            >
              Remove
            </Button>
          ),
        })}
    >
      {ofForm !== null ? (
        <SectionForm form={form} section={ofForm} value={value} />
      ) : (
        <JsonField
          form={form}
          label={`${title} as JSON`}
          path={path}
          value={value ?? null}
          offReason={offReasonOf(form, "metadata")}
          onValue={(next) => form.write(withSection(form, section, next), path)}
        />
      )}
    </Section>
  );
}

function SectionForm({ form, section, value }: Omit<KeyProps, "setting">) {
  const others = otherKeys(section, value);
  return (
    <div className="grid gap-1.5">
      {settingKeys[section].map((setting) => (
        <Key key={setting.key} {...{ form, section, value, setting }} />
      ))}
      {Object.keys(others).length > 0 && (
        <div className="rounded-tag bg-surface-sunken px-2.5 py-1.5">
          <p className="text-muted text-secondary">Other values in this section, kept unchanged</p>
          <JsonView value={others} label={`Other keys of ${section}`} />
        </div>
      )}
    </div>
  );
}

type KeyProps = { form: AgentForm; section: FormSection; value: unknown; setting: SettingKey };

/** One key of a section, with the control of its kind. */
function Key({ form, section, value, setting }: KeyProps) {
  const { key, label, kind } = setting;
  const path = `metadata.${section}.${key}`;
  const found = own((value ?? {}) as JsonObject, key);
  const offReason = offReasonOf(form, "metadata");
  const write = (next: unknown) => form.write(withSection(form, section, withKey(value, key, next)), path);
  if (kind === "whole" || kind === "number")
    return <NumberKey {...{ form, path, setting, found, offReason, write }} />;
  if (kind === "texts")
    return (
      <TextList
        label={label}
        itemLabel="Starter prompt"
        items={Array.isArray(found) ? found.filter((one) => typeof one === "string") : []}
        offReason={offReason}
        onItems={(items) => write(items.length === 0 && found === undefined ? undefined : items)}
      />
    );
  const text = typeof found === "string" ? found : "";
  const onText = (event: ChangeEvent<HTMLTextAreaElement | HTMLSelectElement>) =>
    write(event.target.value === "" ? undefined : event.target.value);
  if (kind === "text")
    return (
      <Field label={label} hint="Added to the system prompt: about the people the agent talks to.">
        <Textarea value={text} rows={2} {...guard(offReason)} onChange={onText} />
      </Field>
    );
  return (
    <Line label={label}>
      <NativeSelect look="small" value={text} {...guard(offReason)} onChange={onText}>
        <option value="">Initials</option>
        {/* Another name than ours stays until something else is chosen. */}
        {text !== "" && !isAgentIcon(text) && <option value={text}>{text}, not available here</option>}
        {Object.keys(agentIcons).map((name) => (
          <option key={name} value={name}>
            {sectionTitle(name)}
          </option>
        ))}
      </NativeSelect>
    </Line>
  );
}

type NumberProps = {
  form: AgentForm;
  path: string;
  setting: SettingKey;
  found: unknown;
  offReason: string | undefined;
  write: (next: unknown) => void;
};

function NumberKey({ form, path, setting, found, offReason, write }: NumberProps) {
  const { label, unit, kind, minimum, maximum, unset = "not set" } = setting;
  const { text, failed, setText } = useHeldText(form, path, found ?? undefined, {
    read: (typed) => readNumber(typed, setting),
    show: (value) => (typeof value === "number" ? String(value) : ""),
    write,
  });
  const wanted = `${kind === "whole" ? "A whole number" : "A number"} from ${minimum} to ${maximum}`;
  return (
    <Line label={unit === undefined ? label : `${label}, ${unit}`} error={failed && wanted}>
      <Input
        inputMode={kind === "whole" ? "numeric" : "decimal"}
        autoComplete="off"
        placeholder={unset}
        className="h-control-small! text-right tabular-nums"
        value={text}
        {...guard(offReason)}
        onChange={(event) => setText(event.target.value)}
      />
    </Line>
  );
}

/** A label at the left of a small control; on phones over it. */
function Line({ label, error, children }: { label: string; error?: ReactNode; children: ReactNode }) {
  return (
    <Field
      label={<span className="font-normal text-muted">{label}</span>}
      error={error}
      className="grid! grid-cols-[minmax(0,1fr)_minmax(0,112px)] items-center gap-x-3 gap-y-0! [&>div:first-child]:mb-0 [&>div:last-child]:col-span-2"
    >
      {children}
    </Field>
  );
}

type Props = {
  form: AgentForm;
  /** The evaluation has a page of its own. */
  hasEvaluations: boolean;
  onAdd: (section: string) => void;
};

/** Adds a section of metadata that has no form here, by its name; what is in it is then written as JSON. */
export function AddSection({ form, hasEvaluations, onAdd }: Props) {
  const [name, setName] = useState("");
  const [isAsked, setAsked] = useState(false);
  const problem = newSectionProblem(name, form.mine.metadata, hasEvaluations);
  const offReason = offReasonOf(form, "metadata");
  if (offReason !== undefined) return null;
  const add = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (problem !== null) return;
    form.write({ metadata: { ...form.mine.metadata, [name]: {} } });
    setName("");
    setAsked(false);
    onAdd(name);
  };
  return (
    <Section id="metadata" title="Add a metadata section">
      <form onSubmit={add} className="flex max-w-text flex-wrap items-start gap-2">
        <Field
          label="Section name"
          hint="For settings without a form on this page. The service may drop sections it does not know; you’ll see which after saving."
          error={name !== "" || isAsked ? (problem ?? undefined) : undefined}
          className="min-w-0 flex-1"
        >
          <Input
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder="such_as_this"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Button type="submit" className="mt-6" disabledReason={problem ?? undefined} reasonAs="title">
          Add section
        </Button>
      </form>
    </Section>
  );
}
