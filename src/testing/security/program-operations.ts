import { requestCookie } from "../../service/oauth/requests.ts";
import type { Question } from "./questions.ts";

const no = "403 403 403 403 403 403";
const people = { everyones: "ok ok ok ok 403 403", absent: "404 404 404 404 403 403" };

/** A browser with this request's cookie: whoever has it may answer, as the person that they are. */
const ofRequest = (id: string) => ({
  params: { request_id: id },
  headers: { cookie: `${requestCookie(id, "http://127.0.0.1")}=${id}` },
});

/** Programs that act for people, by people who are no admins of the installation. */
export const programOperations = {
  getProgramRequest: [
    { object: "program_request", asks: ofRequest, rows: people },
    {
      about: "of another browser",
      object: "program_request",
      asks: (id) => ({ params: { request_id: id } }),
      rows: { everyones: people.absent },
    },
  ],
  answerProgramRequest: [
    {
      object: "program_request",
      asks: (id) => ({ ...ofRequest(id), body: { allow: true } }),
      rows: people,
    },
    {
      about: "of another browser",
      object: "program_request",
      asks: (id) => ({ params: { request_id: id }, body: { allow: true } }),
      rows: { everyones: people.absent },
    },
    {
      about: "with a no",
      object: "program_request",
      asks: (id) => ({ ...ofRequest(id), body: { allow: false } }),
      rows: people,
    },
  ],
  listConnectedPrograms: [
    {
      object: "connection",
      asks: () => ({ query: { page_size: "100" } }),
      rows: {
        own: "ok ok - - 403 403",
        theirs: "- - - ok 403 403",
        otherTeams: "- - - - 403 403",
        absent: "- - - - 403 403",
      },
      list: true,
    },
    {
      about: "another person's",
      object: "person",
      asks: (id) => ({ query: { user_id: id } }),
      rows: { otherTeams: no, absent: no },
    },
  ],
  endConnectedProgram: [
    {
      object: "connection",
      asks: (id) => ({ params: { connection_id: id } }),
      rows: {
        own: "ok ok 404 404 403 403",
        theirs: "404 404 404 ok 403 403",
        otherTeams: "404 404 404 404 403 403",
        absent: "404 404 404 404 403 403",
      },
    },
  ],
  listPrograms: [{ object: "nothing", asks: () => ({}), rows: { everyones: no } }],
  registerProgram: [
    {
      object: "nothing",
      asks: () => ({ body: { name: "New", redirect_uris: ["https://app.example.com/callback"] } }),
      rows: { everyones: no },
    },
  ],
  removeProgram: [
    {
      object: "program",
      asks: (id) => ({ params: { program_id: id } }),
      rows: { own: no, otherTeams: no, absent: no },
    },
  ],
} as const satisfies Record<string, readonly [Question, ...Question[]]>;
