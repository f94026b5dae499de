import { mutationOptions } from "@tanstack/react-query";
import { getOwnRoles } from "../../../contract/admin.ts";
import {
  createKey,
  endConsoleSession,
  endConsoleSessions,
  listConsoleSessions,
  listKeys,
  revokeKey,
} from "../../../contract/admin-keys.ts";
import {
  getOwned,
  getPerson,
  handOver,
  invitePerson,
  listPeople,
  renewInvitation,
  updatePerson,
} from "../../../contract/admin-people.ts";
import {
  createTeam,
  getTeam,
  listAdminTeams,
  listTeamMembers,
  removeTeamMember,
  setTeamMember,
  updateTeam,
} from "../../../contract/admin-teams.ts";
import { exportAudit } from "../../../contract/audit.ts";
import type { Call, Endpoint } from "../../../contract/define.ts";
import {
  answerProgramRequest,
  endConnectedProgram,
  listConnectedPrograms,
  listPrograms,
  registerProgram,
  removeProgram,
} from "../../../contract/programs.ts";
import { type Answer, type CallOptions, call } from "../../api/client.ts";
import { keyOf } from "../../api/read.ts";
import { readAgain } from "../../api/read-again.ts";
import type { Api } from "../../lib/api.tsx";

const ofPeople = [listPeople, getPerson, getOwned, getOwnRoles, listTeamMembers];
const ofTeams = [listAdminTeams, getTeam, listTeamMembers, getOwnRoles, listPeople, getPerson];
const ofKeys = [listKeys];
const ofSessions = [listConsoleSessions];
const ofPrograms = [listConnectedPrograms, listPrograms];

/** What is done in the administration. After each, also after a refusal, the lists that it may have changed are read again. */
export const adminMutations = {
  invite: (api: Api) => acting(api, invitePerson, ofPeople),
  updatePerson: (api: Api) => acting(api, updatePerson, [...ofPeople, ...ofKeys, ...ofSessions]),
  renewInvitation: (api: Api) => acting(api, renewInvitation, ofPeople),
  handOver: (api: Api) => acting(api, handOver, ofPeople),
  createTeam: (api: Api) => acting(api, createTeam, ofTeams),
  updateTeam: (api: Api) => acting(api, updateTeam, ofTeams),
  setMember: (api: Api) => acting(api, setTeamMember, ofTeams),
  removeMember: (api: Api) => acting(api, removeTeamMember, ofTeams),
  createKey: (api: Api) => acting(api, createKey, ofKeys),
  revokeKey: (api: Api) => acting(api, revokeKey, ofKeys),
  endSession: (api: Api) => acting(api, endConsoleSession, ofSessions),
  /** The audit log as a file; it has entries that come after it, of which this is the first. */
  exportAudit: (api: Api) => acting(api, exportAudit, []),
  endSessions: (api: Api) => acting(api, endConsoleSessions, ofSessions),
  endProgram: (api: Api) => acting(api, endConnectedProgram, ofPrograms),
  registerProgram: (api: Api) => acting(api, registerProgram, ofPrograms),
  removeProgram: (api: Api) => acting(api, removeProgram, ofPrograms),
  /** The answer to a program, in the browser that it sent here. */
  answerProgram: (api: Api) => acting(api, answerProgramRequest, ofPrograms, { withCookies: true }),
};

/** What is sent is what the endpoint takes; what comes back holds secrets in some places, and is kept nowhere. */
function acting<E extends Endpoint>(
  api: Api,
  endpoint: E,
  changed: readonly Endpoint[],
  options: CallOptions<E> = {},
) {
  return mutationOptions<Answer<E>, Error, Call<E>>({
    mutationKey: [...keyOf(api, endpoint)],
    mutationFn: (input) => call(api, endpoint, input, options),
    gcTime: 0,
    onSettled: (_answer, _error, _sent, _made, { client }) => readAgain(api, client, changed),
  });
}
