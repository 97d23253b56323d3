// The input of a tab outlives the page: it is there again after a reload, after a visit to another page, and on the way back.
import { contentOf, type LinkForm } from "./link.ts";

/** Longer inputs are not kept: browsers have room for some megabytes. */
const MAX_KEPT = 1_000_000;

const keyOf = (tab: string): string => `playground-${tab}`;

/** Keeps an input until the browser's tab is closed. Does nothing if the browser refuses, or if the input is too long. */
export function keep<Content>({ tab, parts }: LinkForm<Content>, content: Content): void {
  const text = JSON.stringify(parts.map((part) => content[part] ?? ""));
  try {
    if (text.length <= MAX_KEPT) sessionStorage.setItem(keyOf(tab), text);
    else sessionStorage.removeItem(keyOf(tab));
  } catch {
    // Storage is full or switched off: the input lives as long as the page.
  }
}

/** Returns the kept input of a tab; undefined without one. */
export function kept<Content>({ tab, parts }: LinkForm<Content>): Content | undefined {
  try {
    return contentOf(parts, JSON.parse(sessionStorage.getItem(keyOf(tab)) ?? "[]"));
  } catch {
    return undefined;
  }
}
