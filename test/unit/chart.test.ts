import { expect } from 'chai';
import { shapeOf } from '../../static/app/screens/admin/numbers/chart';

describe('a chart of numbers over time', () => {
  it('has its first day on the left, its last on the right, and each day in its place', () => {
    const points = [
      { day: '2026-01-01', value: 10 },
      { day: '2026-01-02', value: 30 },
      { day: '2026-01-11', value: 20 },
    ];
    expect(shapeOf(points, 100, 50)).to.deep.equal({
      line: 'M0.0 50.0L10.0 0.0L100.0 25.0',
      last: { x: 100, y: 25 },
    });
  });

  it('is a line in the middle if nothing has changed', () => {
    const points = ['2026-01-01', '2026-01-02'].map((day) => ({ day, value: 7 }));
    expect(shapeOf(points, 100, 50)).to.include({ line: 'M0.0 25.0L100.0 25.0' });
  });

  it('needs two days', () => {
    expect(shapeOf([], 100, 50)).to.equal(undefined);
    expect(shapeOf([{ day: '2026-01-01', value: 1 }], 100, 50)).to.equal(undefined);
  });
});
