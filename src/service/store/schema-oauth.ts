import type { ColumnType } from "kysely";
import type { Scope } from "../../contract/scopes.ts";

/** At what the database sets when a row is made. */
type MadeAt = ColumnType<Date, never, never>;
/** Null until it happens. */
type LaterAt = ColumnType<Date | null, never, Date>;

export interface OauthProgramsTable {
  id: string;
  kind: "registered" | "document";
  name: string;
  redirect_uris: readonly string[];
  secret_hash: Buffer | null;
  created_at: MadeAt;
  read_at: ColumnType<Date, never, Date>;
  removed_at: LaterAt;
}

export interface OauthRequestsTable {
  hash: Buffer;
  browser: Buffer;
  program_id: string;
  redirect_uri: string;
  scopes: readonly Scope[];
  state: string | null;
  challenge: string;
  network: string;
  expires_at: Date;
}

export interface OauthConnectionsTable {
  id: string;
  program_id: string;
  user_id: string;
  scopes: readonly Scope[];
  code: Buffer;
  redirect_uri: string;
  challenge: string;
  created_at: MadeAt;
  begun_at: LaterAt;
  refreshed_at: LaterAt;
  expires_at: Date;
  ended_at: LaterAt;
}

export interface OauthRefreshTokensTable {
  hash: Buffer;
  connection_id: string;
  created_at: MadeAt;
  used_at: LaterAt;
}

/** The tables of programs that act for people. Written by `src/service/oauth` alone. */
export interface OauthTables {
  oauth_programs: OauthProgramsTable;
  oauth_requests: OauthRequestsTable;
  oauth_connections: OauthConnectionsTable;
  oauth_refresh_tokens: OauthRefreshTokensTable;
}
