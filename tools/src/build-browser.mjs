// Writes dist/browser of each package for pages: the same modules with `#name`s resolved to their browser variants, for pages,
// workers and CDNs that load the modules directly. Bundlers resolve these names themselves.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./setup.mjs";

const PACKAGES = ["moonpack", "protobuf", "pck"];
const variants = {
  "#utf8": "bytes/utf8/browser.js",
  "#slabs": "bytes/slab-guard/off.js",
  "#shapes": "msgpack/read/shapes/off.js",
  "#fidelity": "msgpack/fidelity/off.js",
  "#engine": "generate/off.js",
};
/** Modules that only servers can load. */
const forServers =
  /^(node\/|bytes\/utf8\/(node|deno|bun)\.js|bytes\/slab-guard\/on\.js|msgpack\/read\/buffers\/on\.js|compat\/msgpack-nodejs(\/|-)streams\.js)/;

for (const name of PACKAGES) buildFor(name);

function buildFor(name) {
  const dist = join(root, "packages", name, "dist");
  const browser = join(dist, "browser");
  rmSync(browser, { recursive: true, force: true });
  const modules = readdirSync(dist, { recursive: true }).filter(
    (path) => path.endsWith(".js") && !forServers.test(path),
  );
  for (const path of modules) {
    const text = readFileSync(join(dist, path), "utf8").replace(
      /^((?:import|export) .*from )"(#\w+)";$/gm,
      (_line, head, variant) => {
        if (!(variant in variants)) throw new Error(`${path}: ${variant} has no variant for browsers`);
        const target = relative(dirname(path), variants[variant]);
        return `${head}"${target.startsWith(".") ? target : `./${target}`}";`;
      },
    );
    if (/from "#/.test(text)) throw new Error(`${path}: it still has an import that browsers cannot resolve`);
    cpSync(join(dist, path), join(browser, path)); // creates the folder
    writeFileSync(join(browser, path), text.replace(/^\/\/# sourceMappingURL=.*$/m, ""));
  }
  console.log(`${name}/dist/browser: ${modules.length} modules`);
}
