import { type FormEvent, useState } from "react";
import { Button } from "../ui/Button.tsx";
import { Input } from "../ui/Input.tsx";

type Props = {
  /** The noun of the interface: "run", "conversation". */
  what: string;
  onOpen: (id: string) => void;
};

/** A field for an id that was told elsewhere. */
export function OpenById({ what, onOpen }: Props) {
  const [typed, setTyped] = useState("");
  const id = typed.trim();
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (id !== "") onOpen(id);
  };
  return (
    <form onSubmit={open} className="flex items-center gap-2">
      <Input
        isMono
        aria-label={`${what.charAt(0).toUpperCase()}${what.slice(1)} id`}
        placeholder={`${what} id`}
        className="w-44"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button
        type="submit"
        disabledReason={id === "" ? `Paste a ${what} id first` : undefined}
        reasonAs="title"
      >
        Open
      </Button>
    </form>
  );
}
