import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";

type Props = ComponentProps<"a"> & {
  variant?: Parameters<typeof buttonClass>[0];
  size?: Parameters<typeof buttonClass>[1];
};

function ButtonAnchor({ variant, size, className, ...rest }: Props) {
  return <a {...rest} className={cx(buttonClass(variant, size), className)} />;
}

/** A link to another page that looks like a button: `<LinkButton to="/runs">All runs</LinkButton>`. */
export const LinkButton = createLink(ButtonAnchor);
