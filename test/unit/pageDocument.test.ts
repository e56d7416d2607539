import { expect } from 'chai';
import { documentOf } from '../../api/page/document';

describe('the document of the page', () => {
  it('says in its language that it needs scripts, or that they failed', () => {
    const none = { scripts: [], styles: [], laterStyles: {}, icons: {} };
    const manifest = { ...none, languages: [], texts: '', parts: [], listed: [] };
    const template = '<noscript>{{noScript}}</noscript><p>{{notLoaded}}</p>';
    const text = documentOf(template, { settings: { get: () => '' }, manifest, lang: 'fr', nonce: '' });
    expect(text).to.contain('<noscript>Cette page a besoin de JavaScript.</noscript>');
    expect(text).to.contain('<p>Cette page n’a pas pu être chargée.');
  });
});
