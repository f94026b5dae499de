import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { type ComponentProps, useState } from "react";
import { cx } from "./cx.ts";
import { IconButton } from "./IconButton.tsx";
import { Input } from "./Input.tsx";

type Props = Omit<ComponentProps<typeof Input>, "type" | "isMono"> & {
  /** What is hidden, for the button's name: "Show key". */
  what?: string;
};

/** A secret: hidden until the person asks to see it, in mono, never corrected or completed by spelling aids. */
export function PasswordInput({ what = "key", className, ...rest }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={cx("relative", className)}>
      <Input
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        {...rest}
        isMono
        type={isShown ? "text" : "password"}
        className="pr-9"
      />
      <span className="absolute inset-y-0 right-[3px] flex items-center">
        <IconButton
          size="small"
          label={isShown ? `Hide ${what}` : `Show ${what}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff /> : <Eye />}
        </IconButton>
      </span>
    </div>
  );
}
