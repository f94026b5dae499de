import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { type ErrorCode, errorCatalogue } from "../../contract/errors.ts";
import { addAgents, makeObject, type Relation } from "./objects.ts";
import { operationNames, operations, type Question } from "./operations.ts";
import { type Column, columns, type InvalidCredential, invalidCredentials, principals } from "./people.ts";
import { type RecordedAnswer, startWorld, type World } from "./world.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
// Some questions change the agents of those who ask.
beforeEach(() => addAgents(world.context));

type Operation = (typeof operationNames)[number];
const short = { "400": "invalid_parameter", "403": "forbidden", "404": "not_found" } as const;

/** What a cell promises: a status, and an error's code or value. */
function promised(operation: Operation, { codes = {} }: Question, word: string): [number, string] {
  if (word === "ok" && codes.ok !== undefined) return refusal(operation, codes.ok);
  if (word === "ok" || word === "-") return [endpoints[operation].status, ""];
  const code = (short[word as keyof typeof short] && codes[word as keyof typeof short]) ?? word;
  return refusal(operation, (short[code as keyof typeof short] ?? code) as ErrorCode);
}

function refusal(operation: Operation, code: ErrorCode): [number, string] {
  const { status, value } = errorCatalogue[code];
  return [status, endpoints[operation].errorShape === "flat" ? (value ?? code) : code];
}

/** A dead credential hears the same everywhere but on `start_agent` (§7.1), and where none is needed. */
function promisedToDead(
  operation: Operation,
  question: Question,
  credential: InvalidCredential,
): [number, string] {
  if (endpoints[operation].auth === "none") {
    return promised(operation, question, question.rows.everyones?.split(" ")[0] ?? "ok");
  }
  const code = invalidCredentials[credential];
  if (code === "invalid_credentials" && operation === "startAgent") {
    return refusal(operation, "unauthorized_key");
  }
  return refusal(operation, code);
}

const words = (row: string) => row.split(" ");
const lines = (question: Question) => Object.entries(question.rows) as [Relation, string][];
const absentFirst = ([a]: [Relation, string], [b]: [Relation, string]) =>
  Number(b === "absent") - Number(a === "absent");
const isRead = (operation: Operation, question: Question) =>
  question.list === true || endpoints[operation].kind === "read";

/** Every cell of a question, in words: `team mate` → `404 not_found`. */
type Cells = Record<string, string>;

async function ask(
  operation: Operation,
  question: Question,
  relation: Relation,
  as: Column | InvalidCredential,
  id: string,
) {
  const asker = as in principals ? principals[as as Column] : principals.owner;
  return await world.ask(operation, as, question.asks(id, asker, relation));
}

function inWords(question: Question, heard: RecordedAnswer, id: string): string {
  const shown = question.list && heard.status === 200 && heard.text.includes(id);
  return `${heard.status} ${heard.error}${question.list && heard.status === 200 ? (shown ? "with it" : "without it") : ""}`;
}

const expectedWords = (question: Question, [status, error]: [number, string], word: string) =>
  `${status} ${error}${question.list && status === 200 ? (word === "ok" ? "with it" : "without it") : ""}`;

const named = operationNames.flatMap((operation) =>
  operations[operation].map((question) => ({
    operation,
    question,
    title: question.about ? `${operation}, ${question.about}` : operation,
  })),
);

describe.each(named.map((one) => [one.title, one] as const))("S-20: %s", (_, { operation, question }) => {
  test("answers every credential as its table says", async () => {
    const found: Cells = {};
    const expected: Cells = {};
    for (const [relation, row] of lines(question)) {
      const shared = isRead(operation, question)
        ? await makeObject(world.context, question.object, relation)
        : null;
      for (const [index, column] of columns.entries()) {
        const word = words(row)[index] ?? "missing";
        const id = shared ?? (await makeObject(world.context, question.object, relation));
        const heard = await ask(operation, question, relation, column, id);
        const cell = `${relation} ${column}`;
        found[cell] = inWords(question, heard, id);
        expected[cell] = expectedWords(question, promised(operation, question, word), word);
      }
    }
    expect(found).toEqual(expected);
  });

  test("refuses credentials that do not hold, whatever they ask for", async () => {
    const found: Cells = {};
    const expected: Cells = {};
    const asked = lines(question).filter(([relation], index) => long || index === 0 || relation === "absent");
    for (const [relation] of asked) {
      const id = await makeObject(world.context, question.object, relation);
      const asking = (Object.keys(invalidCredentials) as InvalidCredential[]).map(async (credential) => {
        const heard = await ask(operation, question, relation, credential, id);
        const cell = `${relation} ${credential}`;
        found[cell] = `${heard.status} ${heard.error}`;
        expected[cell] = promisedToDead(operation, question, credential).join(" ");
      });
      await Promise.all(asking);
    }
    expect(found).toEqual(expected);
  });

  test("says of what one may not see what it says of what is not there, and changes nothing", async () => {
    const absent = words(question.rows.absent ?? "");
    const ofAbsent = new Map<Column, string>();
    const reads = isRead(operation, question);
    const everything = async () => (reads ? {} : await world.everything());
    const ids = new Map<Relation, string>();
    for (const [relation] of lines(question)) {
      ids.set(relation, await makeObject(world.context, question.object, relation));
    }
    const before = await everything();
    for (const [relation, row] of lines(question).sort(absentFirst)) {
      const id = ids.get(relation) ?? "";
      for (const [index, column] of columns.entries()) {
        const word = words(row)[index] ?? "";
        // A refused change must change nothing; of a refused look only the answer counts.
        if (word === "ok" || (reads && word !== absent[index])) continue;
        const { status, text, headers } = await ask(operation, question, relation, column, id);
        if (word !== absent[index]) continue;
        if (word !== "-") expect(text, `${relation} ${column}`).not.toContain(id);
        const said = JSON.stringify({ status, text, headers });
        if (relation === "absent") ofAbsent.set(column, said);
        else if (word !== "-") expect(said, `${relation} ${column}`).toBe(ofAbsent.get(column));
      }
    }
    expect(await everything()).toEqual(before);
  });
});

describe("S-20: the table of questions", () => {
  test("has rows for every operation that the service documents, and six words in each", async () => {
    const document = (await (await fetch(`${world.service.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const documented = Object.values(document.paths)
      .flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
      .filter((name) => name !== undefined);
    expect(documented.length).toBeGreaterThan(30);
    expect([...operationNames].sort()).toEqual([...documented].sort());
    for (const { question, title } of named) {
      for (const [relation, row] of lines(question))
        expect(words(row), `${title} ${relation}`).toHaveLength(6);
    }
  });

  test("asks every operation about what belongs to others and what is not there", () => {
    const alike = new Set([
      "listModels",
      "getCapabilities",
      "createConsoleSession",
      "signOutConsole",
      "openSharedLink",
      "getRetention",
      "getOwnRoles",
      "getDiagnostics",
      "listPeople",
      "invitePerson",
      "createTeam",
      "getProgramRequest",
      "answerProgramRequest",
      "listPrograms",
      "registerProgram",
    ]);
    const lacking = operationNames.filter((operation) => {
      const relations = operations[operation].flatMap((question) => Object.keys(question.rows));
      return !alike.has(operation) && !(relations.includes("otherTeams") && relations.includes("absent"));
    });
    expect(lacking, "each needs rows otherTeams and absent, or stands in alike").toEqual([]);
  });
});
