import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useToast } from "../../ui/Toast.tsx";
import { useCan } from "../api.tsx";
import { failedToast } from "../failure/Failure.tsx";

/** Sets the mark that keeps something from retention, or takes it off. */
export interface KeepChange {
  readonly id: string;
  readonly kept: boolean;
}

type KeepParts = {
  id: string;
  noun: "run" | "conversation";
  /** Whether it has the mark, as the service said last; undefined where it did not say. */
  kept: boolean | null | undefined;
  /** Answers whether it has the mark now. */
  mutation: UseMutationOptions<boolean, Error, KeepChange>;
};

/** Whether something is kept from retention, and how that is changed. */
export interface Keep {
  readonly noun: KeepParts["noun"];
  readonly isKept: boolean;
  /** What was asked for and is not confirmed yet; null: nothing. */
  readonly asked: boolean | null;
  /** Asks for the other state, once, and tells what came of it. */
  readonly toggle: () => void;
}

/** The mark of a run or conversation; null where the service has no retention, or does not say what is kept. */
export function useKeep({ id, noun, kept, mutation }: KeepParts): Keep | null {
  const toaster = useToast();
  const { mutateAsync, isPending, variables } = useMutation(mutation);
  const canKeep = useCan("retention");
  if (!canKeep || kept == null) return null;
  const change = async () => {
    const title = noun === "run" ? "Run" : "Conversation";
    try {
      // Its own callbacks would be forgotten with the page that asked.
      const isKept = await mutateAsync({ id, kept: !kept });
      toaster.show({
        tone: "done",
        title: isKept ? `${title} kept` : `${title} no longer kept`,
        detail: isKept ? "Retention never deletes it." : "Retention deletes it when its time is over.",
      });
    } catch (error) {
      toaster.show(failedToast(kept ? `The ${noun} is still kept` : `The ${noun} was not kept`, error));
    }
  };
  const asked = isPending && variables.id === id ? variables.kept : null;
  return {
    noun,
    isKept: kept,
    asked,
    toggle: () => {
      if (asked === null) void change();
    },
  };
}
