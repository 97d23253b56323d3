// Runs the bundled suites in browsers: with the library bundled and minified, and with its plain modules; in pages and in
// workers; with a strict content security policy and without. A page sends the name of its current suite to the server,
// and
// posts its report there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./browsers.mjs";
import { bundleSuites, portableSuites } from "./bundle.mjs";
import { PATIENCE_MS } from "./programs.mjs";
import { serveProject } from "./server.mjs";

/**
 * Four runs, which cover each pair of choices. Each loads all suites and runs half of them. So a browser runs every suite twice: from
 * the bundle and from modules, with code generation and without.
 */
export const VARIANTS = [
  { name: "bundle, page", form: "bundle", kind: "page", isStrict: false, suites: half(0) },
  { name: "bundle, worker, strict CSP", form: "bundle", kind: "worker", isStrict: true, suites: half(1) },
  { name: "modules, page, strict CSP", form: "modules", kind: "page", isStrict: true, suites: half(0) },
  { name: "modules, worker", form: "modules", kind: "worker", isStrict: false, suites: half(1) },
];

/** Every second suite, from the first or from the second one on. */
function half(remainder) {
  return portableSuites().filter((_, i) => i % 2 === remainder);
}

/** Writes both forms, with a page and a worker that start them. */
export async function bundleForPages(project) {
  await bundleSuites({ outfile: join(project, "bundle.js"), inside: ["browser"], minify: true });
  await bundleSuites({ outfile: join(project, "modules.js"), browserFolder: "dist/browser" });
  for (const { form, kind, suites } of VARIANTS) {
    const page = `${form}-${kind}`;
    // Imported dynamically, so that errors in loading are reported too.
    const act = `const send = (method, body) => fetch("./${page}.html", { method, body });
let report;
try {
  const { canGenerate, run } = await import("./${form}.js");
  const suites = await run((suite) => send("PUT", suite), ${JSON.stringify(suites)});
  report = { canGenerate: canGenerate(), suites };
} catch (error) {
  report = { error: \`\${error}\\n\${error.stack}\` };
}
await send("POST", JSON.stringify(report));
`;
    const start = kind === "page" ? act : `new Worker("./${form}-in-worker.js", { type: "module" });\n`;
    if (kind === "worker") writeFileSync(join(project, `${form}-in-worker.js`), act);
    writeFileSync(join(project, `${page}.js`), start);
    const html = `<!doctype html><title>moonpack</title><script type="module" src="${page}.js"></script>\n`;
    writeFileSync(join(project, `${page}.html`), html);
  }
}

/** Runs one variant in its own browser. Returns its report. */
export async function runPage(name, executable, project, { form, kind, isStrict }) {
  const server = await serveProject(project);
  const path = `${form}-${kind}.html`;
  const troubles = [];
  let browser;
  let timer;
  try {
    const reported = server.report(path, isStrict);
    browser = await openBrowser(name, executable, server.urlOf(path, isStrict), (trouble) => troubles.push(trouble));
    const late = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no report, ${server.lastSuite()}\n${troubles.join("\n")}`)),
        PATIENCE_MS,
      );
    });
    const report = await Promise.race([reported, browser.gone, late]);
    if (report.error !== undefined) throw new Error([report.error, ...troubles].join("\n"));
    return report;
  } finally {
    clearTimeout(timer);
    await browser?.close();
    server.close();
  }
}
