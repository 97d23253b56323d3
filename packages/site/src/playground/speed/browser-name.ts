// The browser that measures, in words.

const BROWSERS = [
  { name: "Firefox", pattern: /Firefox\/(\d+)/ },
  { name: "Edge", pattern: /Edg\/(\d+)/ },
  { name: "Opera", pattern: /OPR\/(\d+)/ },
  { name: "Chromium", pattern: /Chrom(?:e|ium)\/(\d+)/ },
  { name: "Safari", pattern: /Version\/(\d+(?:\.\d+)?).*Safari/ },
] as const;

/** The name and version of a browser by its `navigator.userAgent`. Chrome is named after its engine: others say the same. */
export function browserName(userAgent: string): string {
  for (const { name, pattern } of BROWSERS) {
    const [, version] = pattern.exec(userAgent) ?? [];
    if (version !== undefined) return `${name} ${version}`;
  }
  return "this browser";
}
