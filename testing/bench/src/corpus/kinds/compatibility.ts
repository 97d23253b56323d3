import type { Cut, KindClass } from "../kind.js";

function mdn(name: string, path: string, kindClass: KindClass = "compatibility", rest: Partial<Cut> = {}): Cut {
  return {
    name: `support-${name}`,
    class: kindClass,
    package: "@mdn/browser-compat-data",
    files: ["data.json"],
    path,
    ...rest,
  };
}

/** The versions in which browsers support a feature: unions of shapes, deep in the same parents. */
export const compatibility: readonly Cut[] = [
  mdn("interface", "api/*/__compat"),
  mdn("member", "api/*/*/__compat/support"),
  mdn("property", "css/properties/*/__compat"),
  mdn("selector", "css/selectors/*/__compat"),
  mdn("element", "html/elements/*/__compat"),
  mdn("header", "http/headers/*/__compat"),
  mdn("builtin", "javascript/builtins/*/*/__compat"),
  mdn("drawing", "svg/elements/*/__compat"),
  mdn("extension", "webextensions/api/*/*/__compat"),
  mdn("instruction", "webassembly/instructions/*/__compat/support"),
  mdn("status", "api/*/__compat/status", "records"),
  mdn("releases", "browsers/*/releases", "tables", { slices: 12 }),
  mdn("release", "browsers/*/releases/*", "records"),
];
