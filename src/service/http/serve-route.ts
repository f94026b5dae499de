import type { Endpoint } from "../../contract/define.ts";
import type { Context } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import type { Parts } from "./app.ts";
import { compress } from "./compress.ts";
import { asServiceError, errorAnswer } from "./errors.ts";
import type { RequestRecord } from "./request-record.ts";
import type { RoutedRequest } from "./route.ts";

/** An endpoint with its function as one call. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly serve: (context: Context, routed: RoutedRequest) => Promise<Answer>;
}

/** @throws ServiceError `unavailable` (503) until the service is there, and without its database; or what the route threw */
export async function serveRoute(parts: Parts, route: Route, routed: RoutedRequest): Promise<Answer> {
  const context = parts.context();
  if (context === null) throw new ServiceError("unavailable", { message: "The service is starting." });
  return await parts.withWatchdog(() => route.serve(context, routed));
}

/** What goes out: compressed, or an error in the endpoint's shape; noted in the log. */
export async function answerOf(
  accepted: string | null,
  record: RequestRecord,
  shape: Endpoint["errorShape"],
  publicUrl: string | null,
  serve: () => Promise<Answer>,
): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await compress(await serve(), accepted);
  } catch (thrown) {
    const error = asServiceError(thrown);
    const { status, code, headers, body } = errorAnswer(error, shape, publicUrl);
    record.fail(code, error, status);
    answer = jsonAnswer(status, body, headers);
  }
  record.end(answer.status);
  return answer;
}
