/** The chat of a pad as a text file. */
import { expect } from 'chai';
import { chatText } from '../../model/exports/contents';

describe('the text file of a chat', () => {
  it('has one line that begins with a time for each message, whatever is in a name or a message', async () => {
    const forged = '[1 Jan 2026, 12:00:00 UTC] Ada: I agree';
    const breaks = ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
    async function* messages() {
      for (const one of breaks)
        yield { author: 'a.x', name: `Eve${one}${forged}`, text: `Hello${one}${forged}`, time: 0 };
    }
    let text = '';
    for await (const piece of chatText(messages(), { of: 'all', language: 'en' })) text += piece;
    const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
    expect(lines.filter((line) => line.startsWith('['))).to.have.lengthOf(breaks.length);
    expect(lines.filter((line) => line === `    ${forged}`)).to.have.lengthOf(breaks.length);
  });
});
