/** The pictures of docs/ and of the guide show the screens of today. */
import { expect } from 'chai';
import { buildUnlessBuilt } from '../support/etherpad';
import { digestOf, picturesOf, readDigests } from '../support/screenshots/pictures';
import { openScreens, shots } from '../support/screenshots/take';

describe('the pictures of screens', function () {
  this.timeout(300_000);

  it('show what the screens show today', async () => {
    await buildUnlessBuilt();
    const pictures = picturesOf(shots);
    expect(Object.keys(readDigests())).to.have.members(pictures.map(({ file }) => file));
    const screens = await openScreens();
    const outdated: string[] = [];
    try {
      for (const { shot, file, size, command } of pictures) {
        const page = await screens.open({ viewport: size }, shot);
        if ((await digestOf(page)) !== readDigests()[file]) outdated.push(`${file}: ${command}`);
        await page.context().close();
      }
    } finally {
      await screens.close();
    }
    expect(outdated, 'look at these screens, and take their pictures again').to.deep.equal([]);
  });
});
