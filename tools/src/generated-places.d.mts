export function fillPlace(page: string, name: string, text: string): string;
