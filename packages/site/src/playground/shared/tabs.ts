// The tabs of the playground, and how the address names the one that is open.

/** The tabs, in their order. In an address, the text after a tab's name belongs to the tab: `#schema=..` is a shared schema. */
export const TAB_IDS = ["bytes", "schema", "speed"] as const;

/** One of {@link TAB_IDS}. */
export type TabId = (typeof TAB_IDS)[number];

/** The tab in the fragment of an address: `#speed`, `#schema=..`. Undefined without a tab's name. */
export function tabOf(fragment: string): TabId | undefined {
  const [, name] = /^#([a-z]+)(?:=|$)/.exec(fragment) ?? [];
  return TAB_IDS.find((id) => id === name);
}

/** The fragment for a tab: the present one, with all that the tab has put there, if it names the tab. */
export function fragmentOf(id: TabId, present: string): string {
  return tabOf(present) === id ? present : `#${id}`;
}

/** The tab to which a key leads from the tab with the focus. Undefined for other keys. */
export function tabByKey(key: string, from: TabId): TabId | undefined {
  const at = TAB_IDS.indexOf(from);
  const last = TAB_IDS.length - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  return Object.hasOwn(steps, key) ? TAB_IDS[steps[key]!] : undefined;
}
