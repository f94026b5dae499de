import { ConsoleError, type Failure, isCredentialError, isRetryable } from "./errors.ts";

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
        what: "Part of the console could not be loaded.",
        means: "The console may have been updated, or you are offline.",
        next: "It loads once you are back online. If it doesn’t, reload the page; nothing you typed is lost.",
      };
    }
    return {
      what: "Something went wrong on this page.",
      means: "The request was not sent, or the response could not be shown.",
      next: "Reload the page; nothing you typed is lost.",
    };
  }
  const { failure } = error;
  switch (failure.kind) {
    case "network":
      return {
        what: "The service is not responding.",
        means: "You may be offline, or the service may be down.",
        // Of a read and of a change, which nothing tries again by itself.
        next: "Try again in a moment.",
      };
    case "timeout":
      return {
        what: `No response within ${Math.round(failure.afterMs / 1_000)} s.`,
        means: "The service may be busy, or your connection slow.",
        next: "Try again in a moment.",
      };
    case "contract":
      return {
        what: "The response could not be read.",
        means: `It does not match the API${failure.path ? `: ${failure.path} is missing or has the wrong type` : ""}.`,
        next: `Contact whoever runs the service${withId(error)}.`,
      };
    case "not-the-service":
      return describeImpostor(error, failure);
    case "http":
      return describeRefusal(error, failure);
  }
}

/** What happened and what it means, as one text. */
export function errorText(error: unknown): string {
  const { what, means } = describeError(error);
  return `${what} ${means}`;
}

/** Whether the service said no to a start: else nothing came back, and it may have started. */
export function isSurelyNot(error: unknown): boolean {
  return error instanceof ConsoleError && error.kind === "http" && !isRetryable(error);
}

/** What the service itself said of a refusal; null where it said nothing. */
export function saidBy(error: unknown): string | null {
  return error instanceof ConsoleError && error.failure.kind === "http" ? error.failure.message : null;
}

const withId = ({ requestId }: ConsoleError) => (requestId === null ? "" : " and include the request ID");

/** Every browser has its own words for code that could not be fetched, and none has a kind for it. */
const missingPart = /dynamically imported module|importing a module script|unable to preload/i;

function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missingPart.test(error.message);
}

const impostors: Readonly<Record<Extract<Failure, { kind: "not-the-service" }>["impostor"], string>> = {
  html: "The response was a web page instead of data.",
  empty: "The response was empty.",
  "cut-off": "The response was cut off.",
  redirect: "The response was a redirect.",
  "not-json": "The response was not valid data.",
};

/** What it means where the answer carries the service's own request id, so that nothing in between is to blame. */
const ofTheService: typeof impostors = {
  html: "It came from the service, but does not match its API.",
  empty: "It came from the service, with no content.",
  "cut-off": "The service started to respond, but the rest did not arrive.",
  redirect: "It came from the service. The console does not follow it, so that your key goes nowhere else.",
  "not-json": "It came from the service, but does not match its API.",
};

/** What it may mean where nothing tells whose answer it is. */
const ofSomebody: typeof impostors = {
  html: "It probably came from something in between, such as a proxy or a network’s sign-in page.",
  empty: "It may have been lost on the way.",
  "cut-off": "The rest did not arrive.",
  redirect:
    "The console does not follow it. It probably came from something in between, such as a proxy or a network’s sign-in page.",
  "not-json": "It does not match the service’s API.",
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
      ? `Try again. If it keeps happening, contact whoever runs the service${withId(error)}.`
      : "Try again. If it keeps happening, check the service’s address and your network.",
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
      what: said("The key was rejected."),
      means: "It may be mistyped, revoked, expired, or for another connection.",
      next: "Sign in again.",
    };
  }
  if (code === "plan_upgrade_required") {
    return {
      what: "The key is valid, but the plan does not include keys.",
      means: "Keys need the Pro plan or above, and this key’s owner is no longer on one.",
      next: "An access token works on every plan.",
    };
  }
  if (code === "personal_credential_required") {
    return {
      what: said("Team keys can’t open this."),
      means: "Files from chats and personal agents belong to one person.",
      next: "Sign in with your personal key.",
    };
  }
  if (status === 403) {
    return {
      what: said("This is not allowed."),
      means: "Your key is valid, but has no permission for this.",
      next: "Ask the owner for access.",
    };
  }
  if (status === 404) {
    return {
      what: said("Not found."),
      means: "It does not exist, or your key has no access to it.",
      next: "",
    };
  }
  if (status === 409)
    return { what: said("It has changed in the meantime."), means: "Nothing was saved.", next: "" };
  if (status === 429) {
    return {
      what: said("Too many requests."),
      means: "The service limits how often it can be called.",
      next: failure.retryAfterMs === null ? "" : `Try again in ${Math.ceil(failure.retryAfterMs / 1_000)} s.`,
    };
  }
  if (status >= 500) {
    return {
      what: said(`The service responded with ${status}.`),
      means:
        status === 503 || status === 507
          ? "It cannot do this right now."
          : "The problem is on the service’s side, not yours.",
      next: `Try again. If it keeps happening, contact whoever runs it${withId(error)}.`,
    };
  }
  return {
    what: said(`The service rejected the request with ${status}.`),
    means: failure.param ? `The field ${failure.param} is not valid.` : "The request was not valid.",
    next: "",
  };
}
