import { type RawBuilder, sql } from "kysely";

/**
 * What is at the top of these trees or below it, as a condition on executions. The index `executions_tree` has what is
 * below: most is alone, and its id is in the primary key.
 * @param table the name or alias of the table
 */
export function inTrees(table: string, roots: readonly string[]): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return sql<boolean>`(${of("id")} = any(${roots}::text[])
    or ${of("parent_id")} is not null and ${of("root_id")} = any(${roots}::text[]))`;
}
