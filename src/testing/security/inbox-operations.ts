import type { EndpointName } from "../../contract/endpoints.ts";
import { runOf, sessionOf } from "./objects.ts";
import { listed, noAccess, ofAgent, type Parts, type Question, visible } from "./questions.ts";

const byItem = (id: string): Parts => ({ params: { item_id: id } });
const anyones = "ok ok ok ok ok ok";
/** What is everyone's is read by every person, and by no team's key. */
const sourceSeen = { ...visible, everyones: "ok ok ok ok 404 404" };

/** The operations of the inbox. */
export const inboxOperations = {
  listInbox: [
    {
      object: "approval",
      asks: (id) => ({ query: { session_id: sessionOf(id) } }),
      rows: listed,
      list: true,
    },
    {
      about: "what a flow asks",
      object: "question",
      asks: (id) => ({ query: { run_id: runOf(id) } }),
      rows: listed,
      list: true,
    },
    {
      about: "a knowledge source",
      object: "source",
      asks: () => ({ query: { page_size: "100" } }),
      rows: { ...listed, everyones: "ok ok ok ok - -" },
      list: true,
    },
  ],
  // Whoever asks hears a number.
  countInbox: [
    {
      object: "approval",
      asks: () => noAccess,
      rows: { own: anyones, otherTeams: anyones, absent: anyones },
    },
  ],
  getInboxItem: [
    { object: "approval", asks: byItem, rows: visible },
    { about: "what a flow asks", object: "question", asks: byItem, rows: visible },
    { about: "a knowledge source", object: "source", asks: byItem, rows: sourceSeen },
  ],
  answerInboxItem: [
    {
      object: "approval",
      asks: (id) => ({ ...byItem(id), body: { answer: "approve" } }),
      // A team's key sees what its team is asked, and a person has to answer.
      rows: { ...visible, team: "ok ok ok 404 403 404", otherTeams: "404 404 404 ok 404 403" },
      codes: { ok: "approval_withdrawn" },
    },
    {
      about: "what a flow asks",
      object: "question",
      asks: (id) => ({ ...byItem(id), body: { answer: "approve" } }),
      rows: { ...visible, team: "ok ok ok 404 403 404", otherTeams: "404 404 404 ok 404 403" },
      codes: { ok: "approval_withdrawn" },
    },
    {
      about: "a knowledge source, which is approved elsewhere",
      object: "source",
      asks: (id) => ({ ...byItem(id), body: { answer: "approve" } }),
      rows: sourceSeen,
      codes: { ok: "invalid_body" },
    },
  ],
  getAgentApprovals: [ofAgent],
} as const satisfies Partial<Record<EndpointName, readonly [Question, ...Question[]]>>;
