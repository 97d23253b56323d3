// Pointers that move, and pages that move under them.

/**
 * Returns a function that returns true if the pointer has moved since its last event. Browsers also report a new target when the
 * page has scrolled under the pointer, and a choice by keys must stay.
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
