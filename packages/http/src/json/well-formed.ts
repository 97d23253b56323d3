/** True for text without lone surrogates. Under the flag `u`, a pair of surrogates is one character, which has another property. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
