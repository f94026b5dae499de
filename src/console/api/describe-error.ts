import { ConsoleError, type Failure, isCredentialError } from "./errors.ts";

/** An error for a person: what happened, what it means, and what to do. Whole sentences; `next` may be empty. */
export interface ErrorDescription {
  readonly what: string;
  readonly means: string;
  readonly next: string;
}

/** Puts any error into plain words. The service's own sentence comes first where it sent one. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof ConsoleError)) {
    if (isMissingPart(error)) {
      return {
        what: "A part of the console could not be loaded.",
        means: "The console was renewed meanwhile, or the network is away.",
        next: "It comes by itself with the network; if it does not, reload: nothing that you typed is lost.",
      };
    }
    return {
      what: "Something broke in this page.",
      means: "The service was not asked, or its answer could not be shown.",
      next: "Reload the page; nothing that you typed is lost.",
    };
  }
  const { failure } = error;
  switch (failure.kind) {
    case "network":
      return {
        what: "The service does not answer.",
        means: "The network is away, or the service is stopped.",
        next: "It is tried again by itself.",
      };
    case "timeout":
      return {
        what: `No answer within ${Math.round(failure.afterMs / 1_000)} s.`,
        means: "The service is busy, or the connection is slow.",
        next: "Try again in a moment.",
      };
    case "contract":
      return {
        what: "The answer cannot be read.",
        means: `It does not have the form that the interface describes${failure.path ? `: ${failure.path} is missing or has another type` : ""}.`,
        next: `Tell whoever runs the service${withId(error)}.`,
      };
    case "not-the-service":
      return describeImpostor(error, failure);
    case "http":
      return describeRefusal(error, failure);
  }
}

const withId = ({ requestId }: ConsoleError) => (requestId === null ? "" : ", with the request id");

/** Every browser has its own words for code that could not be fetched, and none has a kind for it. */
const missingPart = /dynamically imported module|importing a module script|unable to preload/i;

function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missingPart.test(error.message);
}

const impostors: Readonly<Record<Extract<Failure, { kind: "not-the-service" }>["impostor"], string>> = {
  html: "A web page came back instead of data.",
  empty: "An empty answer came back.",
  "cut-off": "The answer was cut off.",
  redirect: "The answer leads to another address.",
  "not-json": "What came back is not data.",
};

/** What it means where the answer carries the service's own request id, so that nothing in between is to blame. */
const ofTheService: typeof impostors = {
  html: "The service sent it itself, but not in the form of its interface.",
  empty: "The service sent it itself, and there is nothing in it.",
  "cut-off": "The service began to answer, and the rest did not arrive.",
  redirect: "The service sent it itself, and it is not followed: your key must not go elsewhere.",
  "not-json": "The service sent it itself, but not in the form of its interface.",
};

/** What it may mean where nothing tells whose answer it is. */
const ofSomebody: typeof impostors = {
  html: "The service answers with data: something in between may have answered, such as a proxy or a network's sign-in page.",
  empty: "The answer may have been lost on its way.",
  "cut-off": "The rest did not arrive.",
  redirect:
    "It is not followed: something in between may have answered, such as a proxy or a network's sign-in page.",
  "not-json": "It does not have the form of the service's answers.",
};

function describeImpostor(
  error: ConsoleError,
  failure: Extract<Failure, { kind: "not-the-service" }>,
): ErrorDescription {
  const isOurs = failure.requestId !== null;
  return {
    what: `${impostors[failure.impostor]} Status ${failure.status}.`,
    means: (isOurs ? ofTheService : ofSomebody)[failure.impostor],
    next: isOurs
      ? `Try again; if it stays, tell whoever runs the service${withId(error)}.`
      : "Try again; if it stays, look at the address of the service and the network in between.",
  };
}

/** More sentences follow: what a service said without a full stop would run into them. */
function asSentence(said: string): string {
  const text = said.trim();
  return /[\p{L}\p{N}"'”’)\]]$/u.test(text) ? `${text}.` : text;
}

function describeRefusal(error: ConsoleError, failure: Extract<Failure, { kind: "http" }>): ErrorDescription {
  const { status, code, message } = failure;
  const said = (fallback: string) => (message === null ? fallback : asSentence(message));
  if (isCredentialError(error)) {
    return {
      what: said("The key is not accepted."),
      means: "It may be mistyped, revoked, ended, or made for another connection.",
      next: "Sign in again.",
    };
  }
  if (code === "plan_upgrade_required") {
    return {
      what: "The key is right, but the plan does not allow keys.",
      means: "Keys need the Pro plan or above, and the owner of this one is below it now.",
      next: "An access token works on every plan.",
    };
  }
  if (code === "personal_credential_required") {
    return {
      what: said("A team key cannot open this."),
      means: "Files of chats and of personal agents belong to one person.",
      next: "Sign in with your personal key.",
    };
  }
  if (status === 403) {
    return {
      what: said("This is not allowed."),
      means: "Your key is right, but it may not do this.",
      next: "Ask whoever owns it.",
    };
  }
  if (status === 404) {
    return {
      what: said("It was not found."),
      means: "It does not exist, or your key may not see it: the service answers both alike.",
      next: "",
    };
  }
  if (status === 409)
    return { what: said("It has changed meanwhile."), means: "Nothing was saved.", next: "" };
  if (status === 429) {
    return {
      what: said("The service asks to wait."),
      means: "There were too many requests.",
      next: failure.retryAfterMs === null ? "" : `Next try in ${Math.ceil(failure.retryAfterMs / 1_000)} s.`,
    };
  }
  if (status >= 500) {
    return {
      what: said(`The service answered ${status}.`),
      means:
        status === 503 || status === 507
          ? "It cannot do this just now."
          : "The fault is the service's, not yours.",
      next: `Try again; if it stays, tell whoever runs it${withId(error)}.`,
    };
  }
  return {
    what: said(`The service refused this with ${status}.`),
    means: failure.param
      ? `The field ${failure.param} is not accepted.`
      : "It does not accept what was sent.",
    next: "",
  };
}
