/** Finds the weeks in which blocks have points, from their index pages. */
import type { Block } from "../blocks/block.js";
import type { OnDamage } from "../blocks/chunk-cursor.js";
import { WEEK } from "../blocks/format.js";

/** The times of the first and the last point in a week, in milliseconds. */
export interface WeekSpan {
  readonly from: number;
  readonly to: number;
}

/** Returns the weeks of all points of the blocks. Damaged index pages are skipped, as in merges. */
export async function weeksOf(blocks: readonly Block[], onDamage: OnDamage): Promise<Map<number, WeekSpan>> {
  const weeks = new Map<number, WeekSpan>();
  for (const block of blocks) {
    try {
      const { pages } = await block.footer();
      for (let number = 0; number < pages.offset.length; number++) await addPage(block, number, weeks);
    } catch (error) {
      onDamage(error);
    }
  }
  return weeks;
}

async function addPage(block: Block, number: number, weeks: Map<number, WeekSpan>): Promise<void> {
  const { week, first, last } = (await block.index(number)).columns;
  for (let i = 0; i < week.length; i++) {
    const start = week[i]! * WEEK;
    const known = weeks.get(week[i]!);
    const from = Math.min(known?.from ?? Infinity, start + first[i]!);
    const to = Math.max(known?.to ?? 0, start + last[i]!);
    weeks.set(week[i]!, { from, to });
  }
}
