// For the benchmarks, which are TypeScript.
/** The used part of the drivers' pages. */
export interface Page {
  evaluate<Argument, Result>(act: (argument: Argument) => Promise<Result>, argument: Argument): Promise<Result>;
  waitForFunction(expression: string): Promise<unknown>;
}

export interface OpenPage {
  readonly page: Page;
  /** Rejects when the page or the browser is gone. */
  readonly gone: Promise<never>;
  close(): Promise<void>;
}

export function openBrowser(
  name: string,
  executable: string,
  url: string,
  trouble: (text: string) => void,
): Promise<OpenPage>;
