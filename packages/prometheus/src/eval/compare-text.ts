/** Compares texts by their code points, which is the order of their UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === length) return a.length - b.length;
  return rankOf(a.charCodeAt(i)) - rankOf(b.charCodeAt(i));
}

/** Surrogates stand for code points above all others. */
function rankOf(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
