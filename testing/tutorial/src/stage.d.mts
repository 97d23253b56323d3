// For the tests, which are TypeScript.
export function versions(): { readonly before: Map<string, string>; readonly after: Map<string, string> };
export function stage(folder: string, files: ReadonlyMap<string, string>, port: string, out: string): Promise<void>;
export function startServer(folder: string): Promise<() => Promise<void>>;
export function freePort(): Promise<string>;
