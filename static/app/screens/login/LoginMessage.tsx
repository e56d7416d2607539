import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { useSettings } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';
import styles from './Card.module.css';

/** Blocks that are not kept: their texts stay on lines of their own. */
const blocks =
  /^(address|article|aside|blockquote|center|dd|dl|dt|footer|form|h5|h6|header|hr|main|nav|pre|section|table|td|th|tr)$/;

/** The elements of a message that are kept, besides links. Of all others only the text is shown. */
const allowed = new Set([
  'p',
  'br',
  'b',
  'strong',
  'i',
  'em',
  'u',
  'code',
  'ul',
  'ol',
  'li',
  'h2',
  'h3',
  'h4',
  'div',
  'span',
]);

function nodeToReact(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  // The page has a heading of the first level.
  const name = node.localName === 'h1' ? 'h2' : node.localName;
  if (name === 'script' || name === 'style' || name === 'template') return null;
  const children = [...node.childNodes].map(nodeToReact);
  if (name === 'a') {
    const address = node.getAttribute('href') ?? '';
    if (!/^(https?:|mailto:|[/?#.])/i.test(address)) return <Fragment key={key}>{children}</Fragment>;
    return (
      <a key={key} href={address} rel="noopener">
        {children}
      </a>
    );
  }
  if (blocks.test(name)) return <div key={key}>{children}</div>;
  if (!allowed.has(name)) return <Fragment key={key}>{children}</Fragment>;
  return name === 'br' ? <br key={key} /> : createElement(name, { key }, ...children);
}

/** The administrators' message (the setting loginMsg) in the current language, or else in English; may be empty. */
export function useLoginMessage(): string {
  const { loginMsg } = useSettings();
  const { language } = useTranslation();
  return loginMsg[language]?.trim() || (loginMsg.en ?? '').trim();
}

export function LoginMessage() {
  return <MessageText html={useLoginMessage()} />;
}

/** A message in HTML, of which only some elements are kept. Renders nothing if it is empty. */
export function MessageText({ html }: { html: string }) {
  const content = useMemo(
    () => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(nodeToReact),
    [html],
  );
  if (html.trim() === '') return null;
  return (
    <div dir="auto" className={styles.message}>
      {content}
    </div>
  );
}
