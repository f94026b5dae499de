import type { ColumnType } from "kysely";

interface Searched {
  readonly seq: ColumnType<string, never, never>;
  readonly user_id: string | null;
  readonly team_id: string | null;
  readonly ended_at: Date;
  readonly text: string;
}

/** Some lines of an ended run's log; with the first of them what else it says. */
export interface SearchRunsTable extends Searched {
  readonly run_id: string;
  readonly first_line: number;
  readonly last_line: number;
}

/** One message of a turn that has ended. */
export interface SearchMessagesTable extends Searched {
  readonly interaction_id: string;
  readonly message_seq: number;
}

/** One row: how far the index has come. */
export interface SearchProgressTable {
  readonly ended_at: Date;
  readonly id: string;
}

/** The tables of the search; written by src/service/search alone. */
export interface SearchTables {
  search_runs: SearchRunsTable;
  search_messages: SearchMessagesTable;
  search_progress: SearchProgressTable;
}
