// Writes dist/browser of each package that runs in pages: modules without names that browsers cannot resolve, for pages, workers
// and CDNs that load them directly. Bundlers resolve these names themselves.
import { buildForPages } from "./setup.mjs";

buildForPages();
