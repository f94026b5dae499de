import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Input } from "../../../ui/Input.tsx";

/** A flow that the list does not have can be started by its saved item id. */
export function StartById() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [id, setId] = useState("");
  const choose = (event: FormEvent) => {
    event.preventDefault();
    const flow = id.trim();
    if (flow !== "") void navigate({ to: "/runs/new", search: { flow } });
  };
  return (
    <div className="shrink-0 border-t px-edge-left py-2.5 text-muted text-secondary">
      {isOpen ? (
        <form onSubmit={choose} className="flex gap-2">
          <Input
            isMono
            autoFocus
            aria-label="Saved item id"
            placeholder="saved item id"
            value={id}
            onChange={(event) => setId(event.target.value)}
          />
          <Button type="submit">Choose</Button>
        </form>
      ) : (
        <>
          Not in the list?{" "}
          <button
            type="button"
            className="hit font-medium text-accent hover:text-accent-hover"
            onClick={() => setOpen(true)}
          >
            Start by saved item id
          </button>
        </>
      )}
    </div>
  );
}
