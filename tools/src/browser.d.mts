// For the tests, which are TypeScript.
/** The part of Playwright's pages that tests use. */
export interface TestPage {
  on(event: "pageerror", listener: (error: Error) => void): void;
  goto(url: string): Promise<unknown>;
  waitForFunction(code: string, argument: undefined, options: { timeout: number }): Promise<unknown>;
  evaluate(code: string): Promise<unknown>;
}

export interface TestContext {
  newPage(): Promise<TestPage>;
}

export function withBrowser<T>(
  name: "chromium" | "firefox",
  executablePath: string,
  use: (context: TestContext) => Promise<T>,
): Promise<T>;

/** Serves a folder to pages. `visit(path, lines)` returns a page's output once it has printed this many lines. */
export function withPages<T>(
  name: "chromium" | "firefox",
  executablePath: string,
  folder: string,
  use: (visit: (path: string, lines: number) => Promise<{ printed: string[]; errors: string[] }>) => Promise<T>,
): Promise<T>;
