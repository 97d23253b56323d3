// Changes of VitePress's default theme that its settings do not offer.
import type { Plugin } from "vite";
import { boostSource } from "../content/search-words.ts";

/** A file of the theme, its text, and the text that replaces it. */
const CHANGES: readonly { readonly file: string; readonly before: string; readonly after: string }[] = [
  // Screen readers must not read the key as part of the button's name. The style sheet shows it.
  { file: "VPNavBarSearchButton.vue", before: ">K</kbd>", after: "></kbd>" },
  // The search lists pages that explain before entries of the reference. As a setting this would need eval.
  {
    file: "VPLocalSearchBox.vue",
    before: ".search(filterTextValue)",
    after: `.search(filterTextValue, { boostDocument: ${boostSource("filterTextValue")} })`,
  },
];

/** Returns a plugin of Vite that makes the changes. Throws an Error if the theme's text has changed. */
export function changedTheme(): Plugin {
  return {
    name: "changed-theme",
    enforce: "pre",
    transform(code, id) {
      const change = CHANGES.find(({ file }) => id.endsWith(`/theme-default/components/${file}`));
      if (change === undefined) return undefined;
      if (!code.includes(change.before))
        throw new Error(`${change.file} of VitePress no longer holds ${change.before}.`);
      return code.replace(change.before, () => change.after);
    },
  };
}
