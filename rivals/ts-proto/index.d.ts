export function generate(source: string, options?: string): Promise<string>;
