import { type ComponentProps, createContext, type ReactNode, use, useRef } from "react";
import { type ControllerRenderProps, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field } from "../../ui/Field.tsx";
import { NotDone } from "../failure/Failure.tsx";
import { useFocusKept } from "../page/useFocusKept.ts";

type Props<V extends FieldValues, N extends FieldPath<V>> = Omit<
  ComponentProps<typeof Field>,
  "children" | "error"
> & {
  name: N;
  /** The control, with what ties it to the form. */
  children: (field: ControllerRenderProps<V, N>) => ReactNode;
};

/** Whether the fields around can only be read. They keep the focus, which those that are `disabled` lose. */
export const ReadOnly = createContext(false);

/** The attributes of a control that can be read and copied only, where that is so here. */
export const useReadOnly = () => (use(ReadOnly) ? ({ readOnly: true, "aria-disabled": true } as const) : {});

/** A field of the form around it: what is wrong with it is said once the person has left it, or has tried to send. */
function FormField<V extends FieldValues, N extends FieldPath<V>>({ name, children, ...rest }: Props<V, N>) {
  const { field, fieldState, formState } = useController<V, N>({ name });
  const readOnly = useReadOnly();
  const isSaid = fieldState.isTouched || formState.isSubmitted || fieldState.error?.type === "server";
  return (
    <Field {...rest} error={isSaid && fieldState.error?.message}>
      {children({ ...field, ...readOnly })}
    </Field>
  );
}

type CheckProps<V extends FieldValues> = Omit<ComponentProps<typeof Checkbox>, "name" | "aria-label"> & {
  name: FieldPath<V>;
  label: ReactNode;
};

function FormCheckbox<V extends FieldValues>({ name, ...rest }: CheckProps<V>) {
  const { field } = useController<V>({ name });
  const { value, ...wiring } = field;
  return <Checkbox {...rest} {...wiring} {...useReadOnly()} checked={value === true} />;
}

/** The fields of a form that holds `V`. */
export const fieldsOf = <V extends FieldValues>() => ({
  Field: FormField as <N extends FieldPath<V>>(props: Props<V, N>) => ReactNode,
  Checkbox: FormCheckbox<V>,
});

/** The options of a select, with a value that we do not know kept as it came. */
export function Options({ of, value }: { of: Readonly<Record<string, string>>; value: string }) {
  const all = Object.hasOwn(of, value) ? of : { ...of, [value]: value };
  return Object.entries(all).map(([key, words]) => (
    <option key={key} value={key}>
      {words}
    </option>
  ));
}

type SaveBarProps = {
  /** Why the last save failed; null where it did not. */
  error: unknown;
  /** What became of the changes so far. */
  note: ReactNode;
  isChanged: boolean;
  onDiscard: () => void;
  isSaving: boolean;
  disabledReason: string | undefined;
  action: string;
  onSave: () => void;
};

/** Saves or discards, at the foot of the form. What takes away its own button by deciding leaves the focus here. */
export function SaveBar({ error, note, isChanged, onDiscard, isSaving, ...props }: SaveBarProps) {
  const place = useRef<HTMLElement>(null);
  useFocusKept(`${isChanged} ${props.disabledReason}`, place);
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label="Changes"
      className="focus-inset sticky bottom-0 z-sticky mt-auto border-t bg-surface"
    >
      {error !== null && (
        <div className="px-edge-left pt-2.5">
          <NotDone error={error} title="Not saved" />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2 px-edge-left py-2.5">
        <span className="min-w-24 flex-1 text-muted text-secondary">{isChanged && note}</span>
        {isChanged && (
          <Button variant="quiet" onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button
          variant="primary"
          loading={isSaving}
          disabledReason={props.disabledReason}
          onClick={props.onSave}
        >
          {props.action}
        </Button>
      </div>
    </section>
  );
}
