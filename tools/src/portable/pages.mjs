// Runs the bundled suites in browsers: with the library bundled and minified, and with its plain modules; in pages and in
// workers; with a strict content security policy and without. A page sends the name of its current suite to the server,
// and
// posts its report there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./browsers.mjs";
import { bundleSuites } from "./bundle.mjs";
import { PATIENCE_MS } from "./programs.mjs";
import { serveProject } from "./server.mjs";

/** Covers each pair of choices, in four runs. */
export const VARIANTS = [
  { name: "bundle, page", form: "bundle", isWorker: false, isStrict: false },
  { name: "bundle, worker, strict CSP", form: "bundle", isWorker: true, isStrict: true },
  { name: "modules, page, strict CSP", form: "modules", isWorker: false, isStrict: true },
  { name: "modules, worker", form: "modules", isWorker: true, isStrict: false },
];

/** Writes both forms, with a page and a worker that start them. */
export async function bundleForPages(project) {
  await bundleSuites({ outfile: join(project, "bundle.js"), inside: ["browser"], minify: true });
  await bundleSuites({ outfile: join(project, "modules.js"), browserFolder: "dist/browser" });
  for (const form of ["bundle", "modules"]) {
    // Imported dynamically, so that errors in loading are reported too.
    const act = (kind) => `const send = (method, body) => fetch("./${form}-${kind}.html", { method, body });
let report;
try {
  const { canGenerate, run } = await import("./${form}.js");
  report = { canGenerate: canGenerate(), suites: await run((suite) => send("PUT", suite)) };
} catch (error) {
  report = { error: \`\${error}\\n\${error.stack}\` };
}
await send("POST", JSON.stringify(report));
`;
    writeFileSync(join(project, `${form}-page.js`), act("page"));
    writeFileSync(join(project, `${form}-in-worker.js`), act("worker"));
    writeFileSync(join(project, `${form}-worker.js`), `new Worker("./${form}-in-worker.js", { type: "module" });\n`);
    for (const kind of ["page", "worker"])
      writeFileSync(
        join(project, `${form}-${kind}.html`),
        `<!doctype html><title>moonpack</title><script type="module" src="${form}-${kind}.js"></script>\n`,
      );
  }
}

/** Runs one variant in its own browser. Returns its report. */
export async function runPage(name, executable, project, { form, isWorker, isStrict }) {
  const server = await serveProject(project);
  const path = `${form}-${isWorker ? "worker" : "page"}.html`;
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
