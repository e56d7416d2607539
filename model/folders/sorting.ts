/** Sorts many texts with yields to the event loop. */
import { nextSlice, sliceUsed } from '../store/timeSlice';

/** Texts sorted without a yield. */
const batchSize = 2_000;

/** Merges two sorted lists. */
export async function mergeSorted(one: readonly string[], other: readonly string[]): Promise<string[]> {
  const merged: string[] = [];
  let index = 0;
  for (const text of one) {
    for (let next = other[index]; next !== undefined && next < text; next = other[index]) {
      merged.push(next);
      index += 1;
    }
    merged.push(text);
    if (sliceUsed()) await nextSlice();
  }
  return merged.concat(other.slice(index));
}

/** A sorted copy, by code units. Yields between batches. */
export async function sortInBatches(texts: readonly string[]): Promise<string[]> {
  let runs: string[][] = [];
  for (let start = 0; start < texts.length; start += batchSize) {
    runs.push(texts.slice(start, start + batchSize).sort());
    if (sliceUsed()) await nextSlice();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await mergeSorted(runs[index] ?? [], runs[index + 1] ?? []));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}
