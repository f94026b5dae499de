import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { givenRoles } from "./access.ts";

type Props = {
  /** Whose role, for those who listen. */
  label: string;
  /** As it came; null: no access. */
  role: string | null;
  look?: "box" | "bare";
  isDisabled?: boolean;
  /** What choosing no access is called; left out: it cannot be chosen. */
  none?: string;
  onChange: (role: string) => void;
  /** No access was chosen. */
  onNone?: () => void;
};

const words: Readonly<Record<string, string>> = { viewer: "Viewer", editor: "Editor", owner: "Owner" };

/** A role in words; one that we do not know as it came. */
export function roleWord(role: string): string {
  return Object.hasOwn(words, role) ? (words[role] ?? role) : role || "no role given";
}

/** What somebody may do. A role that we do not know stays, shown as it came, until another one is chosen. */
export function RoleSelect({
  label,
  role,
  look = "bare",
  isDisabled = false,
  none,
  onChange,
  onNone,
}: Props) {
  const isUnknown = role !== null && !givenRoles.some((one) => one === role);
  return (
    <NativeSelect
      look={look}
      className={look === "box" ? "w-28 max-sm:flex-1" : ""}
      aria-label={label}
      disabled={isDisabled}
      // As wide as its own word, not as the widest of them.
      {...(look === "bare" && { style: { fieldSizing: "content" } })}
      value={role === null ? " none" : role}
      onChange={({ target: { value } }) => (value === " none" ? onNone?.() : onChange(value))}
    >
      {role === null && none === undefined && <option value=" none">Not given</option>}
      {isUnknown && <option value={role}>{roleWord(role)}</option>}
      {givenRoles.map((one) => (
        <option key={one} value={one}>
          {roleWord(one)}
        </option>
      ))}
      {none !== undefined && <option value=" none">{none}</option>}
    </NativeSelect>
  );
}
