import { useId } from "react";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import type { Column } from "../../ui/Table.tsx";
import { useStore } from "../useStore.ts";
import type { RowSelection } from "./RowSelection.ts";

type SelectRowProps = {
  selection: RowSelection;
  id: string;
  /** What is read aloud: "Select Nightly sync". */
  label: string;
  /** Seen where a hand or the keyboard is, where a finger has to find it, and while any is selected; else always. */
  isQuiet?: boolean;
  isDisabled?: boolean;
  className: string;
};

/** Selects one row, or with the shift key all from where the range began. */
export function SelectRow({ selection, id, label, isQuiet, isDisabled, className }: SelectRowProps) {
  const isSelected = useStore(selection.state, ({ ids }) => ids.has(id));
  const box = useId();
  return (
    // The label is the whole of the cell, so that a near miss does not open the row.
    <label
      htmlFor={box}
      className={cx(
        isQuiet &&
          "opacity-0 focus-within:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100 group-data-selected/row:opacity-100 in-[:is(table,ul):has(:checked)]:opacity-100",
        className,
      )}
    >
      <Checkbox
        id={box}
        aria-label={label}
        checked={isSelected}
        aria-disabled={isDisabled}
        onChange={({ nativeEvent }) => {
          const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
          if (isRange) selection.extendTo(id);
          else selection.toggle(id);
        }}
      />
    </label>
  );
}

function SelectAll({ selection, label }: { selection: RowSelection; label: string }) {
  const { rows, ids } = useStore(selection.state);
  return (
    <Checkbox
      aria-label={label}
      checked={ids.size > 0 && ids.size === rows.length}
      isPartial={ids.size > 0 && ids.size < rows.length}
      onChange={(event) => selection.all(event.target.checked)}
    />
  );
}

type SelectColumn<R> = {
  selection: RowSelection;
  /** "Select all". */
  all: string;
  idOf: (row: R) => string;
  /** "Select Nightly sync". */
  labelOf: (row: R) => string;
  isQuiet?: boolean;
  /** Why a row cannot be selected; null where it can. */
  hindranceOf?: (row: R) => string | null;
};

/** The column of boxes: the one in its head selects all that are shown. */
export function selectColumn<R>({ selection, all, ...of }: SelectColumn<R>): Column<R> {
  return {
    width: 42,
    head: <SelectAll selection={selection} label={all} />,
    title: (row) => of.hindranceOf?.(row),
    cell: (row) => (
      <SelectRow
        selection={selection}
        id={of.idOf(row)}
        label={of.labelOf(row)}
        isDisabled={(of.hindranceOf?.(row) ?? null) !== null}
        className="-my-2 -mr-2 -ml-5 py-2 pr-2 pl-5"
        {...(of.isQuiet && { isQuiet: true })}
      />
    ),
  };
}
