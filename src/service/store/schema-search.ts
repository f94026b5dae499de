/** Some ended runs or turns of one owner, or a part of one run's log. */
export interface SearchBlocksTable {
  readonly number: string;
  readonly first_number: string;
  readonly first_ended_at: Date;
  readonly ended_at: Date;
  readonly first_line: number | null;
  readonly last_line: number | null;
  readonly kind: string;
  readonly user_id: string;
  readonly team_id: string;
  readonly ids: readonly string[];
  readonly numbers: readonly string[];
  readonly text: string;
}

/** One row: how far the index has come. */
export interface SearchProgressTable {
  readonly ended_at: Date;
  readonly id: string;
  readonly number: string;
}

/** The tables of the search that are named in queries of Kysely's; written by src/service/search alone. */
export interface SearchTables {
  search_blocks: SearchBlocksTable;
  search_progress: SearchProgressTable;
}
