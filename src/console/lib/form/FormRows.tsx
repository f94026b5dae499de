import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash-2";
import { useId, useRef } from "react";
import { type FieldValues, useController, useFieldArray, useFormContext } from "react-hook-form";
import { Button, IconButton } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { NativeSelect, Textarea } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { useFocusKept } from "../page/useFocusKept.ts";
import { Options, useReadOnly } from "./FormField.tsx";

/** One field of each row. */
export interface Column<Row> {
  readonly name: keyof Row & string;
  /** Its name for those who listen; `row` is "criterion 2". */
  readonly label: (row: string) => string;
  readonly placeholder?: string | ((row: Row) => string);
  /** One of these, with their words; a value that we do not know stays as it came. */
  readonly options?: Readonly<Record<string, string>>;
  readonly isMono?: boolean;
  /** Several lines of text, as wide as the row. */
  readonly isLong?: boolean;
}

type Props<Row extends object> = {
  /** The list in the form around it. */
  name: string;
  title: string;
  /** What they are, in one sentence. */
  hint: string;
  /** "criterion": for the buttons. */
  what: string;
  most: number;
  empty: Row;
  columns: readonly Column<Row>[];
  /** How wide the columns are. */
  className: string;
  isReadOnly: boolean;
};

/** A list of things of one kind, with how many of them there may be. */
export function FormRows<Row extends object>(props: Props<Row>) {
  const { name, title, hint, what, most, empty, columns, className, isReadOnly } = props;
  // `id` is a field of some rows.
  const { fields, append, remove } = useFieldArray<FieldValues, string, "rowKey">({
    name,
    keyName: "rowKey",
  });
  const { errors } = useFormContext().formState;
  const noteId = useId();
  const found: unknown = errors[name];
  const wrong: readonly unknown[] = Array.isArray(found) ? found : [];
  const place = useRef<HTMLElement>(null);
  useFocusKept(String(fields.length), place);
  return (
    <section ref={place} tabIndex={-1} aria-label={title} className="focus-inset border-b px-edge-left py-4">
      <header className="flex items-baseline gap-3">
        <h3 className="font-semibold">{title}</h3>
        <span className="text-muted text-secondary tabular-nums">
          {fields.length} of {most}
        </span>
      </header>
      <p className="max-w-text text-muted text-secondary">{hint}</p>
      <ol className="mt-3 flex flex-col gap-3">
        {fields.map(({ rowKey }, at) => (
          <li key={rowKey} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <div className={cx("grid gap-2", className)}>
                {columns.map((column) => (
                  <Cell
                    key={column.name}
                    list={name}
                    at={at}
                    column={column}
                    row={`${what} ${at + 1}`}
                    noteId={`${noteId}-${at}`}
                  />
                ))}
              </div>
              {Boolean(wrong[at]) && (
                <p id={`${noteId}-${at}`} className="mt-1 text-secondary text-state-failed-fg">
                  {firstMessage(wrong[at])}
                </p>
              )}
            </div>
            {!isReadOnly && (
              <IconButton
                size="small"
                className="mt-[3px]"
                label={`Remove ${what} ${at + 1}`}
                onClick={() => remove(at)}
              >
                <Trash2 />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
      {!isReadOnly && (
        <Button
          size="small"
          icon={<Plus />}
          className="mt-3"
          disabledReason={fields.length >= most ? `${most} at most` : undefined}
          onClick={() => append(empty)}
        >
          Add {what}
        </Button>
      )}
    </section>
  );
}

type CellProps<Row> = {
  list: string;
  at: number;
  column: Column<Row>;
  row: string;
  /** Where it is said what is wrong with the row. */
  noteId: string;
};

function Cell<Row>({ list, at, column, row, noteId }: CellProps<Row>) {
  const { name, label, placeholder, options, isMono = false, isLong = false } = column;
  const { field, fieldState } = useController<FieldValues>({ name: `${list}.${at}.${name}` });
  const { getValues } = useFormContext();
  const wiring = {
    ...field,
    ...useReadOnly(),
    "aria-label": label(row),
    ...(fieldState.invalid && { "aria-invalid": true, "aria-describedby": noteId }),
    placeholder: typeof placeholder === "function" ? placeholder(getValues(`${list}.${at}`)) : placeholder,
  };
  if (options)
    return (
      <NativeSelect {...wiring}>
        <Options of={options} value={field.value} />
      </NativeSelect>
    );
  return isLong ? (
    <Textarea {...wiring} rows={2} className="col-span-full" />
  ) : (
    <Input {...wiring} isMono={isMono} />
  );
}

const firstMessage = (wrong: unknown): string | undefined =>
  Object.values(wrong ?? {}).find((one) => typeof one?.message === "string")?.message;
