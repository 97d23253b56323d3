// Pointers that move, and pages that move under them.

/**
 * Returns a function that tells whether the pointer has moved since its last event. Browsers also say that it is over something else
 * when the page has scrolled under it, and what the keys have chosen must stay.
 */
export function pointerMoves(): (event: PointerEvent) => boolean {
  let last = "";
  return ({ screenX, screenY }) => {
    const place = `${screenX} ${screenY}`;
    const isMoved = place !== last;
    last = place;
    return isMoved;
  };
}
