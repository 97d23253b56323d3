// For the benchmarks, which are TypeScript.
export interface BrowserBundle {
  readonly text: string;
  /** Bytes. */
  readonly minified: number;
  /** Bytes. */
  readonly gzip: number;
}

export function bundleForBrowsers(source: string, folder: string): Promise<BrowserBundle>;
export function bundleForNode(source: string, folder: string, external: readonly string[]): Promise<BrowserBundle>;
