import { openEnum } from "./open-enum.ts";

/**
 * What has become of a question. `approved`, also with other arguments, and `refused` are answers of a person. `lapsed`: nobody
 * answered in time. `withdrawn`: the turn or run ended or was stopped. `tool_changed`: the tool is not the one that was asked
 * about, so that nothing was run; where the turn goes on, another question stands in its place.
 */
export const inboxState = openEnum(["waiting", "approved", "refused", "lapsed", "withdrawn", "tool_changed"]);

/**
 * The answers. `approve_edited` runs the call with the arguments that come with it. `leave` is of a server's question alone:
 * it is told that nobody decided, where `refuse` tells it that a person declined.
 */
export const inboxAnswers = ["approve", "approve_edited", "refuse", "leave"] as const;
