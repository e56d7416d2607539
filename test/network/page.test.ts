import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import supertest from 'supertest';
import { languages as allLanguages, languageCodes } from '../../model/languages';
import { startApp, type TestApp, temporaryFolder } from '../support/app';
import { checkEach } from '../support/cases';
import { buildUser } from '../support/factories';

const template = `<!doctype html><html lang="{{lang}}" dir="{{dir}}"><head><title>{{title}}</title>
<script>const directions={{directions}}</script>{{app}}{{address}}{{extraHead}}{{styles}}</head><body><noscript>{{noScript}}</noscript><p>{{notLoaded}}</p>{{boot}}{{scripts}}<!-- {{nonce}} {{unknown}} --></body></html>`;
const script = `console.log(${JSON.stringify('x'.repeat(500))});`;

describe('the page', () => {
  const folder = temporaryFolder();
  const staticRoot = join(folder.path, '.hidden', 'dist');
  let app: TestApp;
  before(async () => {
    mkdirSync(join(staticRoot, 'assets'), { recursive: true });
    mkdirSync(join(staticRoot, 'l10n'));
    writeFileSync(join(folder.path, 'index.html'), template);
    // In the plugin, package.json is in the same place relative to these files.
    writeFileSync(join(folder.path, 'package.json'), 'secret');
    writeFileSync(join(staticRoot, 'assets', 'main-1.js.br'), brotliCompressSync(script));
    writeFileSync(join(staticRoot, 'assets', 'main-1.css'), 'body{}');
    writeFileSync(join(staticRoot, 'l10n', 'en-first-1.json'), '{"A":"a"}');
    writeFileSync(join(staticRoot, 'l10n', 'fr-first-1.json'), '{"A":"à"}');
    writeFileSync(join(staticRoot, 'l10n', 'fr-main-1.json.br'), brotliCompressSync('{"A":"à","B":"b"}'));
    writeFileSync(join(staticRoot, 'l10n', 'fr-others-1.json.br'), brotliCompressSync('["ç",null]'));
    writeFileSync(join(staticRoot, 'l10n', 'keys-others-1.json.br'), brotliCompressSync('["C","D_few"]'));
    writeFileSync(
      join(staticRoot, 'manifest.json'),
      JSON.stringify({
        scripts: ['assets/main-1.js'],
        styles: ['assets/main-1.css'],
        laterStyles: { main: 'assets/later-1.css' },
        languages: ['en', 'fr'],
        texts: 'l10n/*-1.json',
        parts: ['first', 'main', 'others'],
        listed: ['others'],
        icons: { 'logo.svg': 'assets/logo-1.svg', 'icon-512.png': 'assets/icon-1.png' },
      }),
    );
    app = await startApp({ staticRoot, templateRoot: folder.path });
  });
  after(async () => {
    await app.close();
    folder.remove();
  });

  it('contains its hashed files, the language of the browser and the first data of the app', async () => {
    for (const path of ['/', '/index.html', '/?/mypads/group/x/view']) {
      const { status, text, headers } = await app.agent.get(path).set('Accept-Language', 'fr-CA, de;q=0.5');
      expect(status).to.equal(200);
      expect(headers['content-type']).to.match(/^text\/html/);
      expect(headers['cache-control']).to.equal('no-store');
      expect(text).to.contain('<html lang="fr" dir="ltr">');
      expect(text).to.contain('<link rel="stylesheet" href="assets/main-1.css">');
      expect(text).to.match(/<script type="module" nonce="[^"]+" src="assets\/main-1\.js"><\/script>/);
      const boot = JSON.parse(/id="mypads-boot"[^>]*>([^<]*)</.exec(text)?.[1] ?? '');
      expect(boot).to.deep.equal({
        texts: 'l10n/*-1.json',
        listed: ['others'],
        styles: { main: 'assets/later-1.css' },
        lang: 'fr',
        title: 'MyPads',
      });
    }
    expect((await app.agent.get('/').set('Accept-Language', 'eo')).text).to.contain('<html lang="en"');
  });

  it('has an address and a picture for previews of links, once the address of the server is set', async () => {
    expect((await app.agent.get('/')).text).not.to.contain('og:url');
    await app.model.configuration.set('rootUrl', 'https://pads.example.org');
    const { text } = await app.agent.get('/');
    expect(text).to.contain('<meta property="og:url" content="https://pads.example.org/mypads/">');
    const image = 'https://pads.example.org/mypads/assets/icon-1.png';
    expect(text).to.contain(`<meta property="og:image" content="${image}">`);
    await app.model.configuration.remove('rootUrl');
  });

  it('can be enlarged with two fingers', () => {
    const template = readFileSync(join(__dirname, '../../templates/index.html'), 'utf8');
    const viewport = /<meta name="viewport" content="(.*?)">/.exec(template)?.[1] ?? '';
    expect(viewport.split(/, ?/).map((part) => part.split('=')[0])).to.have.members([
      'width',
      'initial-scale',
      'viewport-fit',
      'interactive-widget',
    ]);
  });

  it('has the direction of the chosen language before anything is drawn', async () => {
    const { text } = await app.agent.get('/').set('Accept-Language', 'en');
    const directions = JSON.parse(/const directions=(\{.*?\})</.exec(text)?.[1] ?? '');
    expect(directions).to.deep.equal(
      Object.fromEntries(languageCodes.map((code) => [code, allLanguages[code].direction])),
    );
  });

  it('is in the configured language for browsers that ask for an unknown one', async () => {
    await app.model.configuration.set('defaultLanguage', 'fr');
    for (const [asked, lang] of [
      ['eo', 'fr'],
      ['*', 'fr'],
      ['', 'fr'],
      ['en', 'en'],
    ] as const) {
      const { text } = await app.agent.get('/').set('Accept-Language', asked);
      expect(text, asked).to.contain(`<html lang="${lang}"`);
    }
    await app.model.configuration.set('defaultLanguage', 'de');
    const { text } = await app.agent.get('/').set('Accept-Language', 'eo');
    expect(text, 'not built').to.contain('<html lang="en"');
    await app.model.configuration.remove('defaultLanguage');
  });

  it('tells browsers how to install it, with the title of the server and addresses that need no path', async () => {
    await app.model.configuration.set('title', 'Pads "of" <us>');
    const answer = await app.agent.get('/app.webmanifest');
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.match(/^application\/manifest\+json/);
    expect(answer.headers['cache-control']).to.equal('no-cache');
    const manifest = JSON.parse(answer.text ?? String(answer.body));
    expect(manifest).to.include({ name: 'Pads "of" <us>', start_url: './', scope: './' });
    expect(manifest.icons).to.deep.equal([
      { src: 'assets/logo-1.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: 'assets/icon-1.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    ]);
    const { text } = await app.agent.get('/');
    expect(text).to.contain('<link rel="manifest" href="app.webmanifest"');
    expect(text).to.contain('<link rel="icon" href="assets/logo-1.svg" type="image/svg+xml">');
    await app.model.configuration.remove('title');
  });

  it('lets only its own scripts run, and only itself frame it', async () => {
    const one = await app.agent.get('/');
    const other = await app.agent.get('/');
    const policy = String(one.headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(nonce).to.have.length(24);
    expect(one.text).to.contain(`<!-- ${nonce} {{unknown}} -->`);
    expect(policy.split('; ')).to.have.members([
      `script-src 'nonce-${nonce}' 'strict-dynamic' 'self'`,
      "frame-src 'self'",
      "frame-ancestors 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]);
    expect(other.headers['content-security-policy']).not.to.equal(policy);
  });

  it('sends security headers with every answer', async () => {
    for (const path of ['/', '/assets/main-1.js', '/api/cache/check', '/api/unknown', '/unknown']) {
      const { headers } = await app.agent.get(path);
      expect(headers, path).to.include({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'x-frame-options': 'SAMEORIGIN',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-security-policy'], path).to.match(/frame-ancestors 'self'/);
      // These headers would apply to the whole host, which belongs to Etherpad.
      expect(headers).not.to.have.any.keys(
        'x-powered-by',
        'strict-transport-security',
        'cross-origin-opener-policy',
      );
      if (path === '/') continue;
      const policy = "default-src 'none';frame-ancestors 'self'";
      expect(headers['content-security-policy'], path).to.equal(policy);
      if (path.startsWith('/api')) expect(headers['cache-control'], path).to.equal('no-store');
    }
  });

  it('shows the title as text, and runs what an administrator put into the head', async () => {
    await app.model.configuration.set('title', '</title><script>alert("$&")</script>');
    await app.model.configuration.set(
      'HTMLExtraHead',
      '<meta name="x"><SCRIPT src="a.js"></SCRIPT><style>b{}</style>$1<scripture>',
    );
    const { text, headers } = await app.agent.get('/');
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
    expect(text).to.contain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(&quot;$&amp;&quot;)&lt;/script&gt;</title>',
    );
    expect(text).to.contain('"title":"\\u003c/title>\\u003cscript>alert(\\"$&\\")\\u003c/script>"');
    expect(text).to.contain(
      `<meta name="x"><SCRIPT nonce=${nonce} src="a.js"></SCRIPT><style nonce=${nonce}>b{}</style>$1<scripture>`,
    );
    await app.model.configuration.remove('title');
    await app.model.configuration.remove('HTMLExtraHead');
  });

  it('repeats nothing of the request (W13)', async () => {
    const { text } = await app.agent
      .get('/?"><script>q</script>')
      .set('Host', 'evil.example')
      .set('X-Forwarded-Host', 'evil.example');
    expect(text).not.to.contain('evil');
    expect(text).not.to.contain('<script>q');
  });

  it('sends its files in a compression that the browser knows, to be cached for ever', async () => {
    const get = (encodings: string) => app.agent.get('/assets/main-1.js').set('Accept-Encoding', encodings);
    for (const [asked, sent] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const answer = await get(asked).buffer(true);
      expect(answer.headers['content-encoding']).to.equal(sent);
      expect(answer.headers['content-type']).to.equal('text/javascript; charset=utf-8');
      expect(answer.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(answer.headers.vary).to.match(/Accept-Encoding/);
      if (sent !== 'br') expect(answer.text).to.equal(script);
    }
    for (const encoding of ['br', 'gzip', 'identity']) {
      const etag = (await get(encoding)).headers.etag ?? '';
      expect((await get(encoding).set('If-None-Match', etag)).status, encoding).to.equal(304);
    }
  });

  it('is compressed as the browser asks', async () => {
    for (const [asked, sent] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { headers, text } = await app.agent.get('/').set('Accept-Encoding', asked);
      expect(headers['content-encoding'], asked).to.equal(sent);
      expect(headers.vary, asked).to.match(/Accept-Encoding/);
      expect(text, asked).to.match(/^<!doctype html><html lang="en".*<\/html>$/s);
    }
  });

  it('sends no other files, and no test pages (W18)', async () => {
    for (const path of [
      '/assets/main-2.js',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/assets/%2e%2e/manifest.json',
      '/manifest.json',
      '/assets/',
      '/assets/main-1.js%00',
      '/l10n/xx.json',
      '/functest',
      '/functest/index.html',
      '/package.json',
      '/.git/config',
      '/api/../package.json',
    ]) {
      const answer = await app.agent.get(path);
      expect(answer.body, path).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.ROUTE' });
    }
  });

  it('has its languages in parts under hashed names, and as a whole under the name of the language', async () => {
    const hashed = await app.agent.get('/l10n/fr-first-1.json');
    expect(hashed.body).to.deep.equal({ A: 'à' });
    expect(hashed.headers['cache-control']).to.match(/immutable/);
    const whole = await app.agent.get('/api/l10n/fr.json');
    expect(whole.body).to.deep.equal({ A: 'à', B: 'b', C: 'ç' });
    expect(whole.headers['cache-control']).to.equal('no-cache');
    for (const file of ['xx.json', 'constructor.json', '__proto__.json', 'fr', '..%2f..%2fmanifest.json']) {
      const answer = await app.agent.get(`/api/l10n/${file}`);
      expect(answer.body.error, file).to.equal('BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM');
    }
  });

  it('says in a sentence that it has not been built', async () => {
    const unbuilt = await startApp({ staticRoot: join(folder.path, 'nothing') });
    const { status, text, headers } = await unbuilt.agent.get('/');
    expect(status).to.equal(503);
    expect(headers['content-type']).to.match(/^text\/plain/);
    expect(text).to.match(/has not been built/);
    expect((await unbuilt.agent.get('/api/cache/check')).status).to.equal(200);
    await unbuilt.close();
  });

  it('redirects to the address with a slash at its end, also below a path', async () => {
    const { url, close } = await app.listen();
    const agent = supertest(url);
    const moved = await agent.get('/mypads?/login').redirects(0);
    expect(moved.status).to.equal(303);
    expect(moved.headers.location).to.equal('mypads/?/login');
    expect((await agent.get('/mypads/?/login')).status).to.equal(200);
    expect((await agent.get('/mypads/api/cache/check')).body).to.deep.equal({ userCacheReady: true });
    expect((await agent.get('/mypads/nothing')).body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.ROUTE' });
    await close();
  });

  it('leads a browser from a path of a screen to that screen', async () => {
    const { url, close } = await app.listen();
    const agent = supertest(url);
    const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const screens = {
      '/mypads/login': '/mypads/?/login',
      '/mypads/admin/users?q=maya': '/mypads/?/admin/users&q=maya',
      '/mypads/a/b/': '/mypads/?/a/b/',
    };
    await checkEach(screens, async (screen, path) => {
      const { status, headers } = await agent.get(path).set('Accept', html).redirects(0);
      expect(status).to.equal(303);
      const { pathname, search, host } = new URL(headers.location ?? '', url + path);
      expect(`${host}${pathname}${search}`).to.equal(`${new URL(url).host}${screen}`);
    });
    for (const path of ['api/nothing', 'api/'])
      expect((await agent.get(`/mypads/${path}`).set('Accept', html)).body.error).to.equal(
        'BACKEND.ERROR.TYPE.ROUTE',
      );
    await close();
  });
});

describe('behind a proxy', () => {
  it('the cookie is for https only where the proxy is trusted and says so', async () => {
    const app = await startApp({ limitFactor: 1 });
    const user = await buildUser(app);
    const login = async () => {
      const answer = await app.agent
        .post('/api/auth/login')
        .set('X-Forwarded-Proto', 'https')
        .send({ login: user.login, password: user.password });
      // Etherpad may set a cookie of its own.
      const cookies = [answer.headers['set-cookie'] ?? []].flat().map(String);
      return cookies.find((cookie) => cookie.startsWith('mypads_entry='));
    };
    expect(await login()).not.to.match(/Secure/);
    await app.model.configuration.set('trustProxy', true);
    expect(await login()).to.match(/Secure/);
    await app.close();
  });

  it('a caller cannot choose the address by which their attempts are counted', async () => {
    const app = await startApp({ limitFactor: 1, trustProxy: () => true });
    const user = await buildUser(app);
    const wrong = (forwarded: string) =>
      app.agent
        .post('/api/auth/login')
        .set('X-Forwarded-For', forwarded)
        .send({ login: user.login, password: 'wrong' });
    for (let count = 0; count < 10; count += 1) {
      expect((await wrong(`10.0.0.${count}, 192.0.2.7`)).status).to.equal(400);
    }
    expect((await wrong('10.0.0.99, 192.0.2.7')).status).to.equal(429);
    expect((await wrong('192.0.2.8')).status).to.equal(400);
    for (let count = 0; count < 9; count += 1) await wrong(`2001:db8:1:2::${count}`);
    expect((await wrong('2001:db8:1:2:9:9:9:9')).status).to.equal(400);
    expect((await wrong('2001:db8:1:2:8:8:8:8')).status).to.equal(429);
    expect((await wrong('2001:db8:1:3::1')).status).to.equal(400);
    await app.close();
  });
});
