import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { useSettings } from '../../data/queries';
import { useTranslation } from '../../i18n';
import styles from './Card.module.css';

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

/** Elements of a message that has been there since before this page; anything else is shown as its text. */
function nodeToReact(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
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
  if (!allowed.has(name)) return <Fragment key={key}>{children}</Fragment>;
  return name === 'br' ? <br key={key} /> : createElement(name, { key }, ...children);
}

/** What the administrators say to those who sign in, in this language, else in English. Written as HTML, of which only text marks count. */
export function LoginMessage() {
  const { loginMsg } = useSettings();
  const { language } = useTranslation();
  const html = loginMsg[language] || loginMsg.en || '';
  const content = useMemo(
    () => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(nodeToReact),
    [html],
  );
  return html.trim() === '' ? null : <div className={styles.message}>{content}</div>;
}
