import { useLayoutEffect, useState } from "react";
import { Store } from "../../api/store.ts";

interface Selected {
  /** Ids of the rows that are shown, in their order. */
  readonly rows: readonly string[];
  /** The selected ones; all of them are among the rows. */
  readonly ids: ReadonlySet<string>;
  /** How many left the selection because they left the list, since the last choice. */
  readonly gone: number;
}

const nothing: ReadonlySet<string> = new Set();

/**
 * Which rows are selected for an action on several. Not in the address, unlike the row that the panel shows: the address is
 * what a person sees, this is what a person is about to do. A copied link must not hand somebody else a selection that
 * one click kills, going back must not bring one back that was acted on, and hundreds of ids fit no address. It lives as
 * long as the page is open: polls and older rows leave it as it is.
 */
export class RowSelection {
  readonly state = new Store<Selected>({ rows: [], ids: nothing, gone: 0 });
  /** Where a range begins, where it ends so far, and what was selected beside it. */
  #anchor: string | null = null;
  #end: string | null = null;
  #beside: ReadonlySet<string> = nothing;

  /** Takes the rows as they are now. Nobody acts on what is not seen: what left the list leaves the selection. */
  readonly setRows = (rows: readonly string[]): void => {
    const before = this.state.get();
    if (rows.length === before.rows.length && rows.every((id, at) => id === before.rows[at])) return;
    const shown = new Set(rows);
    const ids = new Set([...before.ids].filter((id) => shown.has(id)));
    this.#beside = new Set([...this.#beside].filter((id) => shown.has(id)));
    if (this.#anchor !== null && !shown.has(this.#anchor)) this.#anchor = null;
    this.state.set({ rows, ids, gone: before.gone + before.ids.size - ids.size });
  };

  /** Selects one, or releases it; ranges begin here from now on. */
  readonly toggle = (id: string): void => {
    const { rows, ids: before } = this.state.get();
    if (!rows.includes(id)) return;
    const ids = new Set(before);
    if (!ids.delete(id)) ids.add(id);
    this.#begin(id, ids);
    this.#choose(ids);
  };

  /**
   * Selects everything from where the range began to here; called again, it grows or shrinks.
   * @param from where the keyboard stands: a range that ended elsewhere is left as it is, and a new one begins here
   */
  readonly extendTo = (id: string, from?: string): void => {
    const { rows, ids } = this.state.get();
    if (!rows.includes(id)) return;
    if (this.#anchor === null || (from !== undefined && from !== this.#end))
      this.#begin(from !== undefined && rows.includes(from) ? from : id, ids);
    const [first, last = 0] = [rows.indexOf(this.#anchor ?? id), rows.indexOf(id)].sort((a, b) => a - b);
    this.#end = id;
    this.#choose(new Set([...this.#beside, ...rows.slice(first, last + 1)]));
  };

  /** Selects all that are shown, or none. */
  readonly all = (isOn: boolean): void => {
    this.#anchor = null;
    this.#choose(isOn ? new Set(this.state.get().rows) : nothing);
  };

  /** @returns whether there was something to clear, be it only the word on what left */
  readonly clear = (): boolean => {
    const { ids, gone } = this.state.get();
    this.all(false);
    return ids.size + gone > 0;
  };

  #begin(anchor: string, beside: ReadonlySet<string>): void {
    this.#anchor = anchor;
    this.#end = anchor;
    this.#beside = beside;
  }

  #choose(ids: ReadonlySet<string>): void {
    this.state.set({ ...this.state.get(), ids, gone: 0 });
  }
}

/**
 * The selection of the list that a page shows.
 * @param ids those that can be selected, in their order
 * @param isRead false while the list is asked anew and its rows are not known
 */
export function useRowSelection(ids: readonly string[], isRead = true): RowSelection {
  const [selection] = useState(() => new RowSelection());
  // Before the boxes are seen: whoever selects all at once would select nothing.
  useLayoutEffect(() => {
    if (isRead) selection.setRows(ids);
  });
  return selection;
}
