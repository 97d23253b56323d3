export const SHARE: number;
export function share(n: number, least?: number): number;
