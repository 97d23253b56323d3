// What is changed in VitePress's default theme, which has no setting for it.
import type { Plugin } from "vite";

/** A file of the theme, what it holds, and what it is to hold instead. */
const CHANGES: readonly { readonly file: string; readonly before: string; readonly after: string }[] = [
  // The key that the button shows is no part of its name for screen readers. The style sheet shows it.
  { file: "VPNavBarSearchButton.vue", before: ">K</kbd>", after: "></kbd>" },
  // Who searches wants a page that explains before the entry of the reference. As a setting this would need eval.
  {
    file: "VPLocalSearchBox.vue",
    before: ".search(filterTextValue)",
    after:
      ".search(filterTextValue, { boostDocument: (id) => (/\\/(?:api|benchmarks)\\//.test(id) ? 0.3 : 1) })",
  },
];

/** A plugin of Vite that makes the changes. It throws an Error if the theme is no longer what they were made for. */
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
