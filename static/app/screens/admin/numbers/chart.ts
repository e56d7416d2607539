/** Where the points of a chart are. Free of React, for tests. */

const dayTime = 24 * 3600_000;

export interface Point {
  /** As `2026-11-22`. */
  day: string;
  value: number;
}

export interface ChartShape {
  /** For `d` of a path; a gap of days is a straight line. */
  line: string;
  last: { x: number; y: number };
}

/**
 * Places points in an area of `width` by `height`, by their day and value. The smallest value is at the bottom and the
 * largest at the top; a line in the middle if all are the same. `undefined` for fewer than two days.
 */
export function shapeOf(points: readonly Point[], width: number, height: number): ChartShape | undefined {
  if (points.length < 2) return undefined;
  const times = points.map(({ day }) => Date.parse(day) / dayTime);
  const values = points.map(({ value }) => value);
  const [first = 0, end = 0] = [times[0], times.at(-1)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const coordinates = points.map(({ value }, index) => ({
    x: (((times[index] ?? first) - first) / (end - first)) * width,
    y: most === least ? height / 2 : ((most - value) / (most - least)) * height,
  }));
  const line = coordinates.map(
    ({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`,
  );
  return { line: line.join(''), last: coordinates.at(-1) ?? { x: 0, y: 0 } };
}
