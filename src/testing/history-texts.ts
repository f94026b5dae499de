import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "../service/store/schema.ts";

/** Different sentences; each line and part is one of them. */
const sentences = 50_000;

/** Where what the runs and turns of a history say lies. */
export const textTables = ["log_lines", "message_parts"] as const;

/**
 * Gives each run of a seeded history its three lines of log, written at once, and each answer a call of a tool and a text,
 * in words as languages have them: `the` everywhere, most words now and then, `a needle in the hay` in one of 100,000.
 */
export async function seedTexts(tx: Kysely<Database>): Promise<void> {
  await seedSentences(tx);
  // In the order of their keys: ids are at random, and each row would go to another page of the index.
  await sql`set local work_mem = '256MB'`.execute(tx);
  await sql`insert into log_lines (execution_id, seq, text)
    select run.id, max(seq),
           string_agg('2026-11-20T08:15:04.123Z [step_' || seq || '] NL-PL ' || ${needle(sql`run.id || seq`)} || said.text,
                      E'\\n' order by seq)
      from executions run cross join generate_series(1, 3) seq join said on said.n = ${choice(sql`run.id || seq`)}
     where run.kind = 'pipeline' group by run.id order by run.id`.execute(tx);
  await sql`insert into message_parts (interaction_id, message_seq, seq, part)
    select talk.id, 2, seq,
           case seq when 1
             then json_build_object('id', 'tool-1-0', 'type', 'tool_invocation', 'toolCallId', 'c', 'toolName',
                    'harbor__lanes', 'toolCallState', 'completed', 'result', json_build_object('args',
                    json_build_object('quay', left(said.text, 12)), 'result', said.text))
             else json_build_object('id', 'text-2', 'type', 'text', 'text', ${needle(sql`talk.id`)} || said.text) end
      from interactions talk cross join generate_series(1, 2) seq join said on said.n = ${choice(sql`talk.id || seq`)}
     order by talk.id, seq`.execute(tx);
}

const hash = (key: RawBuilder<unknown>) => sql`(hashtext(${key})::bigint + 2147483648)`;
const choice = (key: RawBuilder<unknown>) => sql`1 + ${hash(key)} % ${sql.lit(sentences)}`;
const needle = (key: RawBuilder<unknown>) =>
  sql`case when ${hash(key)} % 100000 = 77 then 'a needle in the hay ' else '' end`;

/** Makes the table `said`, each sentence of fourteen words. */
async function seedSentences(tx: Kysely<Database>): Promise<void> {
  await sql`select setseed(0.42)`.execute(tx);
  await sql`create temporary table said on commit drop as
    select n::bigint, string_agg(case when word % 5 = 0 then 'the' else
             (array['har','bor','quay','lan','ter','mol','sten','vik','ar','ond','el','pra','tis','go','mer'])[1 + (random()^2 * 14)::int]
          || (array['ing','ed','er','al','ton','dam','sel','port','ra','no','kel','um','is','eth','ow'])[1 + (random() * 14)::int]
          || (array['','','','s','ly','ment','ness','ways'])[1 + (random() * 7)::int] end, ' ') as text
      from generate_series(1, ${sql.lit(sentences)}) n, generate_series(1, 14) word group by n`.execute(tx);
  await sql`analyze said`.execute(tx);
}
