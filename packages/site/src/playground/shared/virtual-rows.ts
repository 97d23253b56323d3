// Rows of one height, of which only those in view exist. Libraries for this keep an object for each row, and browsers end an element
// after some millions of pixels. Here rows are numbers, and a long list is squeezed into the height that browsers have.
import { computed, onBeforeUnmount, type Ref, ref, watch } from "vue";

/** Firefox ends an element at 17 million pixels. */
const MAX_PIXELS = 8_000_000;
/** Rows that exist before and after those in view. */
const SPARE = 6;
/** After this time without scrolling, the bar of a squeezed list is put where it belongs. */
const IDLE_MS = 150;

/** The rows in view. */
export interface VirtualRows {
  /** Height of the content. */
  readonly height: Readonly<Ref<number>>;
  /** The first row that exists, and the one after the last. */
  readonly first: Readonly<Ref<number>>;
  readonly last: Readonly<Ref<number>>;
  /** Where the first row that exists is placed in the content. */
  readonly shift: Readonly<Ref<number>>;
  /** Whole rows that fit. */
  readonly page: Readonly<Ref<number>>;
  /** The key of a row's element. After a jump the new rows have the keys of the old ones, so their elements are reused. */
  keyOf(row: number): number;
  onScroll(): void;
  /** Brings a row into view, if it is not. */
  show(row: number): void;
}

/** The rows that exist. The key of a row is its number minus `offset`. */
interface Keys {
  readonly first: number;
  readonly last: number;
  readonly offset: number;
}

/** Follows an element that scrolls. `count` rows have `rowHeight` pixels each. */
export function useVirtualRows(
  element: Readonly<Ref<HTMLElement | undefined>>,
  count: Readonly<Ref<number>>,
  rowHeight: number,
): VirtualRows {
  /** The row at the upper edge; a fraction where an edge cuts it. */
  const top = ref(0);
  const scrolled = ref(0);
  const room = ref(0);
  const height = computed(() => Math.min(count.value * rowHeight, MAX_PIXELS));
  const isSqueezed = computed(() => count.value * rowHeight > MAX_PIXELS);
  const page = computed(() => Math.max(1, Math.floor(room.value / rowHeight)));
  const lastTop = () => Math.max(0, count.value - room.value / rowHeight);
  const lastScroll = () => Math.max(0, height.value - room.value);
  const first = computed(() => Math.max(0, Math.floor(top.value) - SPARE));
  const last = computed(() => Math.min(count.value, Math.ceil(top.value + room.value / rowHeight) + SPARE));
  const keys = computed<Keys>((before = { first: 0, last: 0, offset: 0 }) => {
    const isJump = first.value >= before.last || last.value <= before.first;
    const offset = isJump ? before.offset + first.value - before.first : before.offset;
    return { first: first.value, last: last.value, offset };
  });
  const shift = computed(() => scrolled.value + (first.value - top.value) * rowHeight);
  let idle: ReturnType<typeof setTimeout> | undefined;

  const observer = new ResizeObserver(() => {
    const isShownAgain = room.value === 0;
    room.value = element.value?.clientHeight ?? 0;
    // A hidden element forgets how far it was scrolled.
    if (isShownAgain && room.value > 0) moveTo(top.value);
  });
  watch(
    element,
    (now, before) => {
      if (before) observer.unobserve(before);
      if (now) observer.observe(now);
      room.value = now?.clientHeight ?? 0;
    },
    { flush: "post" },
  );
  watch(count, () => moveTo(Math.min(top.value, lastTop())), { flush: "post" });
  onBeforeUnmount(() => {
    observer.disconnect();
    clearTimeout(idle);
  });

  function onScroll(): void {
    if (room.value === 0 || element.value?.clientHeight === 0) return;
    const at = element.value?.scrollTop ?? 0;
    const by = at - scrolled.value;
    scrolled.value = at;
    if (!isSqueezed.value) top.value = at / rowHeight;
    else if (by !== 0) {
      // A wheel or a finger moves by its pixels; the bar jumps in proportion.
      const isSmall = Math.abs(by) <= 2 * room.value;
      const wanted = isSmall ? top.value + by / rowHeight : (at / lastScroll()) * lastTop();
      top.value = at <= 0 ? 0 : Math.min(Math.max(wanted, 0), lastTop());
      clearTimeout(idle);
      idle = setTimeout(() => moveTo(top.value), IDLE_MS);
    }
  }

  function moveTo(row: number): void {
    top.value = row;
    if (element.value === undefined) return;
    element.value.scrollTop = isSqueezed.value ? (row / lastTop()) * lastScroll() : row * rowHeight;
    scrolled.value = element.value.scrollTop;
  }

  function show(row: number): void {
    const isSeen = row >= top.value && row + 1 <= top.value + room.value / rowHeight;
    if (isSeen) return;
    const isNear = row > top.value - 3 && row < top.value + page.value + 3;
    const wanted = !isNear ? row - page.value / 2 : row < top.value ? row : row + 1 - room.value / rowHeight;
    moveTo(Math.min(Math.max(0, wanted), lastTop()));
  }

  return { height, first, last, shift, page, keyOf: (row) => row - keys.value.offset, onScroll, show };
}
