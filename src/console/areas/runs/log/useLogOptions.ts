import { useCallback, useEffect, useRef, useState } from "react";
import type { LogAddress } from "./log-address.ts";
import { firstOptions, type LogOptions } from "./options.ts";

/** After so many ms without a change they stand in the address: browsers refuse one that changes with every key. */
const settleMs = 250;

/**
 * How a person looks at a log. What is shown stands in the address, a moment later; another address (a link, back) is
 * what is shown then.
 */
export function useLogOptions(
  address: LogAddress,
  onAddress: (address: LogAddress) => void,
): readonly [LogOptions, (change: Partial<LogOptions>) => void] {
  const [options, setOptions] = useState(() => optionsOf(address));
  const key = addressKey(address);
  const [known, setKnown] = useState(key);
  /** What was put into the address here: when it arrives, more may have been typed. */
  const [told, setTold] = useState(key);
  if (known !== key) {
    setKnown(key);
    if (key !== told) {
      setTold(key);
      setOptions((old) => optionsOf(address, old));
    }
  }
  const tell = useRef(onAddress);
  useEffect(() => {
    tell.current = onAddress;
  });
  const wanted = addressKey(addressOf(options));
  useEffect(() => {
    if (wanted === key) return;
    const timer = setTimeout(() => {
      setTold(wanted);
      tell.current(addressOf(options));
    }, settleMs);
    return () => clearTimeout(timer);
  }, [wanted, key, options]);
  const change = useCallback((part: Partial<LogOptions>) => setOptions((old) => ({ ...old, ...part })), []);
  return [options, change];
}

/** What of the options stands in the address. */
function addressOf({ level, nodes, text, isPattern }: LogOptions): LogAddress {
  return {
    level: level === "all" ? undefined : level,
    nodes: nodes.size === 0 ? undefined : [...nodes].sort(),
    q: text.trim() || undefined,
    regex: isPattern || undefined,
  };
}

/** The options with what an address says; how lines are drawn stays. */
function optionsOf({ level, nodes, q, regex }: LogAddress, options = firstOptions): LogOptions {
  return {
    ...options,
    level: level ?? "all",
    nodes: new Set(nodes),
    text: q ?? "",
    isPattern: regex ?? false,
  };
}

/** Equal for addresses that say the same. */
const addressKey = (address: LogAddress): string =>
  JSON.stringify([address.level, [...(address.nodes ?? [])].sort(), address.q, address.regex]);
