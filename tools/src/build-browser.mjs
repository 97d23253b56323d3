// Writes packages/moonpack/dist/browser: the same modules with `#utf8` and `#shapes` resolved to their browser
// variants, for
// pages, workers and CDNs that load the modules directly. Bundlers resolve these names themselves.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./setup.mjs";

const dist = join(root, "packages/moonpack/dist");
const browser = join(dist, "browser");
const variants = {
  "#utf8": "bytes/utf8/browser.js",
  "#slabs": "bytes/slab-guard/off.js",
  "#buffers": "msgpack/read/buffers/off.js",
  "#shapes": "msgpack/read/shapes/off.js",
  "#fidelity": "msgpack/fidelity/off.js",
  "#engine": "pck/generate/off.js",
};
/** Modules that only servers can load. */
const forServers =
  /^(node\/|bytes\/utf8\/(node|deno|bun)\.js|bytes\/slab-guard\/on\.js|msgpack\/read\/buffers\/on\.js|compat\/msgpack-nodejs(\/|-)streams\.js)/;

rmSync(browser, { recursive: true, force: true });
const modules = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith(".js") && !forServers.test(path));
for (const path of modules) {
  const text = readFileSync(join(dist, path), "utf8").replace(
    /^((?:import|export) .*from )"(#\w+)";$/gm,
    (_line, head, name) => {
      if (!(name in variants)) throw new Error(`${path}: ${name} has no variant for browsers`);
      const target = relative(dirname(path), variants[name]);
      return `${head}"${target.startsWith(".") ? target : `./${target}`}";`;
    },
  );
  if (/from "#/.test(text)) throw new Error(`${path}: it still has an import that browsers cannot resolve`);
  cpSync(join(dist, path), join(browser, path)); // creates the folder
  writeFileSync(join(browser, path), withMap(path, text));
}

/** Only import lines differ, so the source maps of the other build are used for this one too. */
function withMap(path, text) {
  const map = relative(dirname(join(browser, path)), join(dist, path));
  return text.replace(/^\/\/# sourceMappingURL=.*$/m, `//# sourceMappingURL=${map}.map`);
}

for (const path of modules) {
  for (const [, name] of readFileSync(join(browser, path), "utf8").matchAll(/^(?:import|export) .*from "(.+)";$/gm)) {
    const isThere = name.startsWith(".") && modules.includes(join(dirname(path), name));
    if (!isThere) throw new Error(`dist/browser/${path} imports ${name}, which does not exist`);
  }
}
console.log(`dist/browser: ${modules.length} modules`);
