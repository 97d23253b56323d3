// Changes of VitePress's default theme that its settings do not offer.
import type { Plugin } from "vite";
import { boostSource } from "../content/search-words.ts";

/** A file of the theme, its text, and the text that replaces it. */
const CHANGES: readonly { readonly file: string; readonly before: string; readonly after: string }[] = [
  // Screen readers must not read the key as part of the button's name. The style sheet shows it.
  { file: "VPNavBarSearchButton.vue", before: ">K</kbd>", after: "></kbd>" },
  // A group of the sidebar is one button, with its state, for Enter and Space; the arrow in it is no second one.
  {
    file: "VPSidebarItem.vue",
    before: `role="button"
        aria-label="toggle section"
        @click="onCaretClick"
        @keydown.enter="onCaretClick"
        tabindex="0"`,
    after: 'aria-hidden="true" @click="onCaretClick"',
  },
  {
    file: "VPSidebarItem.vue",
    before: ':role="itemRole"',
    after: ':role="itemRole" :aria-expanded="item.items && item.collapsed != null ? !collapsed : undefined"',
  },
  {
    file: "VPSidebarItem.vue",
    before: "if ('key' in e && e.key !== 'Enter') {",
    after:
      "if ('key' in e && e.key === ' ') e.preventDefault()\n  if ('key' in e && e.key !== 'Enter' && e.key !== ' ') {",
  },
  // The search lists pages that explain before entries of the reference. As a setting this would need eval.
  {
    file: "VPLocalSearchBox.vue",
    before: ".search(filterTextValue)",
    after: `.search(filterTextValue, { boostDocument: ${boostSource("filterTextValue")} })`,
  },
];

/** Styles of parts that the site does not have: teams, sponsors, heroes, features. They are a tenth of all styles, on every page. */
const UNUSED_STYLES =
  /\/theme-default\/(?:components\/VP(?:Team|Sponsors|Hero|HomeHero|Feature|HomeFeatures|HomeSponsors|Carbon|DocAsideSponsors|DocAsideCarbon|NavBarTranslations|NavScreenTranslations)\w*\.vue\?vue&type=style|styles\/components\/vp-sponsor\.css)/;

/** Returns a plugin of Vite that makes the changes. Throws an Error if the theme's text has changed. */
export function changedTheme(): Plugin {
  return {
    name: "changed-theme",
    enforce: "pre",
    transform(code, id) {
      if (UNUSED_STYLES.test(id)) return "";
      const changes = CHANGES.filter(({ file }) => id.endsWith(`/theme-default/components/${file}`));
      let result = code;
      for (const { file, before, after } of changes) {
        if (!result.includes(before)) throw new Error(`${file} of VitePress no longer holds ${before}.`);
        result = result.replace(before, () => after);
      }
      return changes.length === 0 ? undefined : result;
    },
  };
}
