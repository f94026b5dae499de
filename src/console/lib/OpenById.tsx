import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../ui/Button.tsx";
import { Input } from "../ui/Input.tsx";

type Props = {
  /** The noun of the interface: "run", "conversation". */
  what: string;
  /** What the button does with it. */
  action?: string;
  /** Why an id is wanted, and the words that bring the field; without it the field is there at once. */
  asks?: { why: ReactNode; words: string };
  onOpen: (id: string) => void;
};

/** A field for an id that was told elsewhere. */
export function OpenById({ what, action = "Open", asks, onOpen }: Props) {
  const [typed, setTyped] = useState("");
  const [isAsked, setAsked] = useState(asks === undefined);
  const id = typed.trim();
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (id !== "") onOpen(id);
  };
  if (!isAsked)
    return (
      <>
        {asks?.why}{" "}
        <button
          type="button"
          className="hit font-medium text-accent hover:text-accent-hover"
          onClick={() => setAsked(true)}
        >
          {asks?.words}
        </button>
      </>
    );
  return (
    <form onSubmit={open} className="flex max-w-text items-center gap-2">
      <Input
        isMono
        autoFocus={asks !== undefined}
        aria-label={`${what.charAt(0).toUpperCase()}${what.slice(1)} ID`}
        placeholder={`${what} ID`}
        className={asks ? "" : "w-44"}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button
        type="submit"
        disabledReason={
          id === "" ? `Paste ${/^[aeiou]/.test(what) ? "an" : "a"} ${what} id first` : undefined
        }
        reasonAs="title"
      >
        {action}
      </Button>
    </form>
  );
}
