import type { LinkChange, RemoveItem, ShareItem } from "../../contract/access.ts";
import { ServiceError } from "../service-error.ts";

/** The change that a PUT asks for (§4.7). */
export interface AccessChange {
  readonly share?: readonly ShareItem[] | undefined;
  readonly remove?: readonly RemoveItem[] | undefined;
  readonly link?: LinkChange | undefined;
}

/** Whether a change of access asks for nothing. */
export function changesNothing({ share = [], remove = [], link }: AccessChange): boolean {
  return share.length === 0 && remove.length === 0 && link === undefined;
}

/** Roles that can be given; `owner` is its creator's alone. */
const given = ["viewer", "editor"];
const emailForm = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,190}$/;

/**
 * What is wrong with a change whatever it is about, so that it is said before anything is looked up.
 * @throws ServiceError `invalid_access_change` naming the field
 */
export function checkAccessChange({ share = [], link }: AccessChange): void {
  for (const [index, item] of share.entries()) {
    const at = `share.${index}`;
    checkRole(item.role, `${at}.role`);
    if (item.type === "person" && !emailForm.test(foldEmail(item.email))) {
      throw invalidChange(`${at}.email is no e-mail address.`, `${at}.email`);
    }
  }
  if (link?.role != null) checkRole(link.role, "link.role");
  if (link?.password !== undefined && link.mode !== "password") {
    throw invalidChange("A password is for a link whose mode is password.", "link.password");
  }
}

function checkRole(role: string, param: string): void {
  if (given.includes(role)) return;
  throw invalidChange(`${param} must be one of ${given.join(", ")}.`, param);
}

/** As addresses are kept and compared. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Says that access cannot be changed so. @param param the field, as the caller wrote it: `share.0.email` */
export function invalidChange(message: string, param: string): ServiceError {
  return new ServiceError("invalid_access_change", { message, param });
}
