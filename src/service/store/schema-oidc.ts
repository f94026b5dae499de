import type { ColumnType } from "kysely";

/** At what the database sets when a row is made. */
type MadeAt = ColumnType<Date, never, never>;

export interface OidcSignInsTable {
  state: Buffer;
  browser: Buffer;
  issuer: string;
  network: string;
  secrets: string;
  expires_at: Date;
}

export interface OidcIdentitiesTable {
  issuer: string;
  subject: string;
  user_id: string;
  made_person: boolean;
  groups: readonly string[];
  is_in: boolean;
  checked_at: Date;
  check_from: Date;
  check_by: Date;
  created_at: MadeAt;
}

export interface OidcSessionsTable {
  id: string;
  issuer: string;
  subject: string;
  link: Buffer;
  credential_id: ColumnType<string | null, string | null | undefined, string | null>;
  secrets: string;
  created_at: MadeAt;
}

/** The tables of the organisation's identity provider. Written by `src/service/oidc`; a session hears of its credential from the sign-in. */
export interface OidcTables {
  oidc_sign_ins: OidcSignInsTable;
  oidc_identities: OidcIdentitiesTable;
  oidc_sessions: OidcSessionsTable;
}
