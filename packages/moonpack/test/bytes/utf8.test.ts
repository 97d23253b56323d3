import { utf8Suite } from "@moonpack/harness/utf8-suite.ts";
import * as chosen from "moonpack/bytes";
import * as browser from "../../src/bytes/platform/browser.ts";
import * as fallback from "../../src/bytes/platform/default.ts";

utf8Suite("the runtime's own variant", chosen, true);
utf8Suite("browser variant", browser, false);
utf8Suite("default variant", fallback, false);
