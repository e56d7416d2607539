/** Full names as their languages write them. */
import { expect } from 'chai';
import { fullName } from '../../model/fullName';

describe('the full name of a person', () => {
  for (const [firstname, lastname, expected] of [
    ['Ada', 'Lovelace', 'Ada Lovelace'],
    ['太郎', '山田', '山田太郎'],
    ['さくら', '佐々木', '佐々木さくら'],
    ['小明', '王', '王小明'],
    ['민준', '김', '김민준'],
    ['Taro', 'Yamada', 'Taro Yamada'],
    ['Taro', '山田', 'Taro 山田'],
    ['ada', '', 'ada'],
    ['', '王', '王'],
    [undefined, undefined, ''],
  ] as const) {
    it(`${JSON.stringify([firstname, lastname])} is “${expected}”`, () => {
      expect(fullName({ firstname, lastname })).to.equal(expected);
    });
  }
});
