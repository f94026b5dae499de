import ChevronDown from "lucide-react/icons/chevron-down";
import Lock from "lucide-react/icons/lock";
import { describeError } from "../../../api/describe-error.ts";
import { Button } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Input } from "../../../ui/Input.tsx";
import { Menu, MenuChoice, MenuChoices, MenuLabel } from "../../../ui/Menu.tsx";
import { versionLabel } from "../labels.ts";
import { useModels } from "../models.ts";
import { type AgentForm, guard, offReasonOf } from "./form.ts";
import { FieldMarks, Section } from "./Section.tsx";

/** Which model the agent asks: one of those that the service offers, or its name where the service offers no list. */
export function ModelField({ form }: { form: AgentForm }) {
  const { read, groups, options } = useModels();
  const chosen = form.mine.model_name;
  const offReason = offReasonOf(form, "model_name");
  const now = options.find((option) => option.value === chosen);
  return (
    <Section id="model" title="Model" mark={<FieldMarks form={form} path="model_name" />} isNarrow>
      {options.length === 0 ? (
        <>
          <Input
            aria-label="Model"
            value={form.texts.model_name ?? chosen ?? ""}
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder="provider/model"
            {...guard(offReason)}
            onChange={(event) => {
              const typed = event.target.value;
              // A model cannot be taken away (null means absent), so an empty field is one that is not finished.
              if (typed.trim() === "" && form.base.model_name !== null) form.hold("model_name", typed);
              else form.write({ model_name: typed || null }, "model_name");
            }}
          />
          <p className="mt-1 flex flex-wrap items-center gap-2 text-faint text-secondary">
            {read.isPending
              ? "Loading models. You can type a name in the meantime."
              : read.isError
                ? `The models could not be loaded; type the name instead. ${describeError(read.error).what}`
                : "This service does not list models; type the name."}
            {read.isError && (
              <Button
                size="small"
                variant="quiet"
                loading={read.isFetching}
                onClick={() => void read.refetch()}
              >
                Retry
              </Button>
            )}
          </p>
        </>
      ) : (
        <>
          <Menu
            trigger={
              <button
                type="button"
                aria-label={`Model: ${chosen ?? "unknown"}`}
                {...(offReason !== undefined && { "aria-disabled": true, title: offReason })}
                onPointerDown={(event) => offReason !== undefined && event.preventDefault()}
                onKeyDown={(event) =>
                  offReason !== undefined && event.key !== "Tab" && event.preventDefault()
                }
                className={cx(
                  "flex h-control w-full items-center gap-2 rounded-control border border-line-strong bg-surface px-[9px] text-left text-control aria-disabled:bg-surface-sunken",
                  "data-[state=open]:border-focus",
                )}
              >
                <span className="min-w-0 flex-1 truncate text-mono">{chosen ?? "unknown"}</span>
                <ChevronDown className="text-muted" />
              </button>
            }
          >
            <div className="w-(--radix-popper-anchor-width) min-w-[300px]">
              <MenuChoices
                value={chosen ?? ""}
                onValueChange={(value) => form.write({ model_name: value }, "model_name")}
              >
                {chosen !== null && !now && (
                  <>
                    <MenuLabel>No longer available</MenuLabel>
                    <Choice value={chosen} label={chosen} remark="current" />
                  </>
                )}
                {groups.map((group) => (
                  <div key={group.label}>
                    <MenuLabel>{group.label}</MenuLabel>
                    {group.options.map((option) => (
                      <Choice
                        key={option.value}
                        {...option}
                        remark={
                          option.isRestricted
                            ? "restricted"
                            : option.value === form.base.model_name && form.changed.has("model_name")
                              ? versionLabel(form.baseVersion)
                              : undefined
                        }
                      />
                    ))}
                  </div>
                ))}
              </MenuChoices>
              {options.some((option) => option.isRestricted) && (
                <p className="-mx-1 mt-1 max-w-[320px] border-t px-3 pt-2 pb-1 text-muted text-secondary">
                  Restricted for your key, often because of the plan.
                </p>
              )}
            </div>
          </Menu>
          {chosen !== null && !now && (
            <p className="mt-1 text-secondary text-state-stopped-fg">
              No longer available. You can keep it, but once you change it you can’t switch back.
            </p>
          )}
          {now?.isRestricted && (
            <p className="mt-1 text-secondary text-state-stopped-fg">
              Restricted for your key: the service may reject it.
            </p>
          )}
        </>
      )}
    </Section>
  );
}

type ChoiceProps = { value: string; label: string; remark?: string | undefined; isRestricted?: boolean };

function Choice({ value, label, remark, isRestricted = false }: ChoiceProps) {
  return (
    <MenuChoice value={value} disabled={isRestricted}>
      <span className="flex items-center gap-2">
        <span className={cx("min-w-0 flex-1 truncate", label === value && "text-mono")} title={value}>
          {label}
        </span>{" "}
        {remark !== undefined && <span className="text-secondary text-muted">{remark}</span>}
        {isRestricted && <Lock className="text-muted" />}
      </span>
    </MenuChoice>
  );
}
