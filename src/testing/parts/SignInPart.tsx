import { Button } from "../../console/ui/Button.tsx";
import { Field, PasswordInput } from "../../console/ui/Field.tsx";
import { Part, Stage } from "./Part.tsx";

export function SignInPart() {
  return (
    <Part name="Sign in over the page" remark="nothing typed is lost">
      <Stage>
        <div className="rounded-dialog bg-surface-raised p-4.5 shadow-dialog">
          <h3 className="text-heading">Your key is no longer accepted</h3>
          <p className="mb-3 text-muted">
            Sign in again and your save goes on: 3 changed fields of Claims triage are kept.
          </p>
          <Field label="Key for Halden Freight">
            <PasswordInput defaultValue="sample-key-of-no-use" />
          </Field>
          <div className="mt-3 flex gap-2">
            <Button variant="primary">Sign in and save</Button>
            <Button variant="quiet">Use OAuth</Button>
          </div>
        </div>
      </Stage>
    </Part>
  );
}
