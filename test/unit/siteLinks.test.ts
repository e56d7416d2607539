/** `npm run site` ends with an error at links of the built pages that lead nowhere. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { deadLinks } from '../../bin/siteLinks';
import { temporaryFolder } from '../support/app';

describe('Links of the site', () => {
  it('are named when they lead to no page, file, picture or heading', () => {
    const folder = temporaryFolder();
    try {
      const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
      mkdirSync(join(folder.path, 'docs'));
      mkdirSync(join(folder.path, 'deploy'));
      write('deploy/Dockerfile', 'FROM etherpad');
      const good = [
        '#top',
        '../',
        '../index.html',
        '/deploy/Dockerfile',
        '../deploy/Dockerfile',
        'https://etherpad.org/no',
      ];
      const wrong = [
        '#bottom',
        '../index.html#top',
        '../deploy',
        '../deploy/Dockerfile.html',
        '/docs/other.html',
      ];
      const links = [...good, ...wrong].map((link) => `<a href="${link}">link</a>`).join('');
      write('index.html', '<h1 id="start">MyPads</h1><a href="docs/page.html#top">page</a>');
      write('docs/page.html', `<h1 id="top">Page</h1>${links}<img src="picture.webp" alt="">`);
      const found = [...wrong, 'picture.webp'].map((link) => `/docs/page.html: ${link}`);
      expect(deadLinks(folder.path)).to.have.members(found);
    } finally {
      folder.remove();
    }
  });
});
