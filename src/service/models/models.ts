import { offlineModel } from "../../contract/models.ts";
import type { ByteRoom } from "../byte-room.ts";
import { createAnswerRoom } from "../outgoing/held-lines.ts";
import { createPlaces } from "../outgoing/places.ts";
import { limitsOf, type ModelLimits, offlineLimits } from "./limits.ts";
import { ModelError } from "./model-error.ts";
import { answerOffline } from "./offline.ts";
import type { Want } from "./provider-failure.ts";
import { askProvider, type Fetch } from "./providers.ts";
import type { SilenceLimits } from "./response-listener.ts";
import type { ModelSettings, ProviderSettings } from "./settings.ts";
import type { ModelAnswer, ModelGroup, ModelRequest } from "./types.ts";

/** The language models behind `<provider>/<model>` (§2.6, §4.15). */
export interface Models {
  /** What `GET /models` lists: the connected providers in their order, the built-in model last. */
  groups(): readonly ModelGroup[];
  /** Whether `value` is one of them. */
  has(value: string): boolean;
  /** How much a model reads and writes. The built-in one has no limit, and one that is not connected is never asked. */
  limits(value: string): ModelLimits;
  /** The model of an agent that names none: the first connected one, else the built-in one. */
  readonly preferred: string;
  /**
   * Asks once; never tries again by itself.
   * @throws ModelError, or the signal's reason when it was aborted
   */
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelOptions {
  /** The guarded fetch; it must let the addresses of the settings pass, which the operator chose. */
  readonly fetch: Fetch;
  /** For what is long of answers while it comes; default its own. */
  readonly room?: ByteRoom;
  /** When a call counts as silent; default before what the guarded fetch lets pass. */
  readonly silenceLimits?: SilenceLimits;
}

const silenceLimits: SilenceLimits = { beforeMs: 290_000, withinMs: 90_000 };

/** Makes the models that the settings connect, and the built-in one that is always there. */
export function createModels(settings: ModelSettings, options: ModelOptions): Models {
  const { providers } = settings;
  const places = createPlaces();
  const wants = new Map<string, ReadonlySet<Want>>();
  const { fetch, room = createAnswerRoom() } = options;
  const limits = { fetch, room, silenceLimits: options.silenceLimits ?? silenceLimits, wants };
  const groups: readonly ModelGroup[] = [
    ...providers.map((provider) => ({
      label: provider.label,
      options: provider.models.map((model) => ({
        value: `${provider.name}/${model}`,
        label: model,
        restricted: false,
      })),
    })),
    {
      label: "Built in",
      options: [{ value: offlineModel, label: "Offline (obeys commands, no language)", restricted: false }],
    },
  ];
  const values = new Set(groups.flatMap((group) => group.options.map((option) => option.value)));
  return {
    groups: () => groups,
    has: (value) => values.has(value),
    limits(value) {
      const [name, model] = split(value);
      const provider = providers.find((one) => one.name === name);
      if (provider === undefined) return offlineLimits;
      const tells = wants.get(value)?.has("reasoning") ? { tellsReasoning: true as const } : {};
      return { ...limitsOf(provider, model), ...tells };
    },
    preferred: groups[0]?.options[0]?.value ?? offlineModel,
    async ask(request) {
      request.signal.throwIfAborted();
      if (request.model === offlineModel) return answerOffline(request);
      const { provider, model } = find(providers, request.model);
      const requester = { share: [], ...request.requester, signal: request.signal };
      return await places.run(provider.name, requester, () => askProvider(provider, model, request, limits));
    },
  };
}

/** The provider's name, and the model's own. */
function split(value: string): readonly [name: string, model: string] {
  const cut = value.indexOf("/");
  return [value.slice(0, Math.max(0, cut)), value.slice(cut + 1)];
}

function find(providers: readonly ProviderSettings[], value: string) {
  const [name, model] = split(value);
  const provider = providers.find((one) => one.name === name);
  if (provider === undefined || !provider.models.includes(model)) {
    throw new ModelError(
      "unknown",
      `The model ${value} is not available. Choose another model in the agent’s settings.`,
    );
  }
  return { provider, model };
}
