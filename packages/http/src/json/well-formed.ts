/** True for text without lone surrogates. With the flag `u`, a pair of surrogates is one character without this property. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
