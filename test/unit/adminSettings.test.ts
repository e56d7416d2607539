/** The parts of the administration's settings that are pure: sections with search, and fields of nested settings. */
import { expect } from 'chai';
import type { AdminSetting } from '../../api/admin/schema';
import { changeableSettings } from '../../api/configuration/settings';
import english from '../../locales/en.json';
import { settings as definitions } from '../../model/settings/definitions';
import { sectionsOf } from '../../static/app/screens/admin/settings/sections';
import { parseService, valueAt, withValueAt } from '../../static/app/screens/admin/settings/serviceFields';

const settings: AdminSetting[] = changeableSettings.map((setting) => ({
  ...setting,
  kind: definitions[setting.key].kind,
  locked: false,
}));
const keysOf = (search: string, texts: Record<string, string> = {}): string[] =>
  sectionsOf(settings, search, ({ key }) => texts[key] ?? '').flatMap((section) =>
    section.settings.map(({ key }) => key),
  );

describe('the sections of the settings', () => {
  it('contain every setting once, except for those with a screen of their own', () => {
    const ofOtherScreens = ['firstSteps'];
    const expected = settings.map(({ key }) => key).filter((key) => !ofOtherScreens.includes(key));
    expect(keysOf('').sort()).to.deep.equal(expected.sort());
    const others = sectionsOf(settings, '', () => '').find(({ title }) => title === 'admin.section.other');
    expect(others).to.equal(undefined);
  });

  it('keep a setting that the page does not know', () => {
    const unknown = { key: 'newSetting', section: 'newSection', kind: 'flag', schema: {}, locked: false };
    const [last] = sectionsOf([...settings, unknown as unknown as AdminSetting], '', () => '').slice(-1);
    expect(last).to.deep.equal({ title: 'admin.section.other', settings: [unknown] });
  });

  it('have a label for every setting', () => {
    const without = settings.filter(
      ({ key, kind }) => kind !== 'steps' && !Object.hasOwn(english, `admin.setting.${key}`),
    );
    expect(without.map(({ key }) => key)).to.deep.equal([]);
  });

  it('are searched by key and text, in any order, without accents and letter case', () => {
    expect(keysOf('smtp PORT')).to.deep.equal(['SMTPPort']);
    expect(keysOf('serveur adresse', { rootUrl: 'Adresse du Sérveur' })).to.deep.equal(['rootUrl']);
    expect(keysOf('nothing like this')).to.deep.equal([]);
  });
});

describe('the fields of a sign-in service', () => {
  const value = { url: 'ldaps://a', tlsOptions: { ca: 'x', servername: 'y' }, unknown: 1 };

  it('read and change one value, and keep unknown ones', () => {
    expect(valueAt(value, 'tlsOptions.ca')).to.equal('x');
    expect(valueAt(value, 'url.ca')).to.equal(undefined);
    expect(withValueAt(value, 'tlsOptions.ca', undefined)).to.deep.equal({
      ...value,
      tlsOptions: { servername: 'y' },
    });
    expect(withValueAt(value, 'properties.login', 'uid')).to.deep.equal({
      ...value,
      properties: { login: 'uid' },
    });
    expect(value.tlsOptions.ca).to.equal('x');
  });

  it('accept only an object as JSON', () => {
    expect(parseService('{"a":1}')).to.deep.equal({ a: 1 });
    for (const text of ['', '{', '[]', '1', 'null', '"a"'])
      expect(parseService(text), text).to.equal(undefined);
  });
});
