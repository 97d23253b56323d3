// Additions to pages: pictures, and the files of an example below its README.
import { relative } from "node:path";
import type { Plugin } from "vite";
import { withPictures } from "../pictures/places.ts";
import { root } from "../repository.ts";
import { filesOf } from "./files.ts";

/** A plugin of Vite, before VitePress's own. */
export function additions(): Plugin {
  return {
    name: "additions",
    enforce: "pre",
    transform(text, id) {
      const page = relative(root, id);
      if (!page.endsWith(".md") || page.startsWith("..")) return undefined;
      const [, example] = /^examples\/([^/]+)\/README\.md$/.exec(page) ?? [];
      const whole = example === undefined ? text : `${text}\n${filesOf(`examples/${example}`)}`;
      return withPictures(page, whole);
    },
  };
}
