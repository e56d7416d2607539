/** The answer while no access can be checked. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import { answerUnavailable, closedHooks, namesInAddress } from '../../hooks/unavailable';
import { checkEach } from '../support/cases';
import { type Listening, listen } from '../support/listening';

describe('a server that cannot check access', () => {
  let server: Listening;
  before(async () => {
    server = await listen(createServer((request, response) => answerUnavailable(request, response)));
  });
  after(() => server.stop());

  it('answers 503, with a page for browsers and JSON for programs', () => {
    const page = 'text/html; charset=utf-8';
    const json = 'application/json; charset=utf-8';
    const cases: Record<string, [method: string, accept: string, type: string]> = {
      'a browser that opens a page': ['GET', 'text/html,application/xhtml+xml', page],
      'a browser that asks for the headers of a page': ['HEAD', 'text/html', page],
      'a program that reads': ['GET', '*/*', json],
      'a form that is sent': ['POST', 'text/html', json],
    };
    return checkEach(cases, async ([method, accept, type]) => {
      const answer = await fetch(`${server.url}/p/any`, { method, headers: { accept } });
      expect(answer.status).to.equal(503);
      expect(answer.headers.get('content-type')).to.equal(type);
      expect(answer.headers.get('retry-after')).to.equal('5');
    });
  });
});

describe('an address of another plugin', () => {
  it('may name a pad in any part, also in one that plugins clean up', () => {
    const names = namesInAddress('/public/minutes-x1.html?pad=plan%2Fa..b#c') ?? [];
    expect(names).to.include.members(['public', 'minutes-x1', 'plan', 'ab', 'c']);
    expect(namesInAddress('/a,,,,b//')).to.deep.equal(['a', 'b']);
  });

  it('is not looked at if it has more parts than any browser sends', () => {
    expect(namesInAddress(`/${'a,'.repeat(8_000)}`)).to.equal(undefined);
    expect(namesInAddress(`/${','.repeat(16_000)}a`)).to.deep.equal(['a']);
  });
});

describe('a plugin whose file cannot be loaded', () => {
  it('says why, and has hooks that open no pad', () => {
    const { error } = console;
    const printed: unknown[] = [];
    console.error = (text) => void printed.push(text);
    try {
      // The file that it loads is made by the build, in another folder.
      expect(require('../../index')).to.deep.equal(closedHooks);
    } finally {
      console.error = error;
    }
    expect(String(printed)).to.match(/loading failed, every pad stays closed: .*server\.js/);
  });
});
