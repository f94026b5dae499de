import { type Selectable, sql } from "kysely";
import { createLimiter } from "../limiter.ts";
import type { OauthProgramsTable } from "../store/schema-oauth.ts";
import type { Store } from "../store/store.ts";
import { isDocumentId, type MetadataDocument, readMetadataDocument } from "./metadata-document.ts";

/** A program as it is stored. */
export type Program = Selectable<OauthProgramsTable>;

/** Finds programs by their client id. */
export interface Programs {
  /** Whether a client id may be the address of a metadata document. */
  readonly takesDocuments: boolean;
  /** One that is known and was not removed; null: there is none, or its document was not read yet. */
  known(id: string): Promise<Program | null>;
  /**
   * The same; where the id is the address of a metadata document, that is read first if it was not for ten minutes. Only for
   * requests of people who are signed in: strangers make this service call nobody.
   * @throws MetadataDocumentError
   */
  find(id: string): Promise<Program | null>;
}

/** How old what a document said may be. */
const freshMinutes = 10;
/** Documents that are read at a time. */
const atOnce = 4;

/**
 * @param fetch guarded: public addresses only
 * @param takesDocuments whether programs that no admin has registered may ask (`programs.metadata_documents`)
 */
export function createPrograms(
  { db }: Pick<Store, "db">,
  fetch: typeof globalThis.fetch,
  takesDocuments = true,
): Programs {
  const limited = createLimiter({ places: atOnce });

  const read = async (id: string) =>
    await db
      .selectFrom("oauth_programs")
      .selectAll()
      .select(sql<boolean>`read_at > now() - make_interval(mins => ${freshMinutes})`.as("is_fresh"))
      .where("id", "=", id)
      .executeTakeFirst();

  const keep = async (id: string, { name, redirectUris }: MetadataDocument) => {
    const redirect_uris = [...redirectUris];
    await db
      .insertInto("oauth_programs")
      .values({ id, kind: "document", name, redirect_uris, secret_hash: null })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet({ name, redirect_uris, read_at: sql<Date>`now()` }),
      )
      .execute();
  };

  const known = async (id: string): Promise<Program | null> => {
    if (!takesDocuments && isDocumentId(id)) return null;
    const row = await read(id);
    return row === undefined || row.removed_at !== null ? null : row;
  };

  return {
    takesDocuments,
    known,
    async find(id) {
      if (!takesDocuments || !isDocumentId(id)) return await known(id);
      const row = await read(id);
      if (row !== undefined && (row.removed_at !== null || row.is_fresh))
        return row.removed_at === null ? row : null;
      await keep(id, await limited.run({ share: [id] }, () => readMetadataDocument(fetch, id)));
      return await known(id);
    },
  };
}
