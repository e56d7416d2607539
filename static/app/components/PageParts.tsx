import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation, useQueryParams, withParameters } from '../navigation/location';
import sidebar from '../shell/Sidebar.module.css';
import { useTranslation } from '../texts/i18n';
import { classNames } from './classNames';
import { Menu } from './Menu';
import styles from './PageParts.module.css';
import { ExpandIcon } from './screenIcons';

interface Part {
  /** In the address: `?section=mail`. */
  name: string;
  title: string;
}

/** Spread it onto the heading of a part. */
export const partHeading = (name: string) => ({ 'data-part': name, tabIndex: -1 }) as const;

const headingsIn = (content: HTMLElement | null): HTMLElement[] => [
  ...(content?.querySelectorAll<HTMLElement>('[data-part]') ?? []),
];

/** The parts that are there now: some come later, and a search hides some. */
function useParts(content: RefObject<HTMLElement | null>): readonly Part[] {
  const [parts, setParts] = useState<readonly Part[]>([]);
  useLayoutEffect(() => {
    const { current: element } = content;
    if (element === null) return;
    const read = (): void => {
      const next = headingsIn(element).map(({ dataset, textContent }) => ({
        name: dataset.part ?? '',
        title: textContent,
      }));
      setParts((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [content]);
  return parts;
}

/** A heading at this distance from the top of the window, in px, has been reached. */
const reached = 136;

/** The heading that was reached last. At the end of the page the line moves down, because the last parts are short. */
function shownPart(content: HTMLElement | null): string | undefined {
  const left = document.documentElement.scrollHeight - innerHeight - scrollY;
  const line = scrollY === 0 ? reached : Math.max(reached, innerHeight - left);
  const headings = headingsIn(content);
  const last = headings.filter((heading) => heading.getBoundingClientRect().top <= line).at(-1);
  return (last ?? headings[0])?.dataset.part;
}

/** The name of the part that the person reads, and a function that shows another. */
function useCurrentPart(content: RefObject<HTMLElement | null>, parts: readonly Part[]) {
  const [current, setCurrent] = useState<string>();
  /** The part that was chosen, until the person scrolls on: the last ones never reach the top. */
  const chosen = useRef<{ name: string; y: number }>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other parts may be where the old ones were
  useEffect(() => {
    const mark = (): void => {
      if (chosen.current?.y !== scrollY) chosen.current = null;
      setCurrent(chosen.current?.name ?? shownPart(content.current));
    };
    mark();
    for (const type of ['scroll', 'resize']) addEventListener(type, mark, { passive: true });
    return () => {
      for (const type of ['scroll', 'resize']) removeEventListener(type, mark);
    };
  }, [content, parts]);
  const show = (name: string): void => {
    const heading = headingsIn(content.current).find(({ dataset }) => dataset.part === name);
    if (heading === undefined) return;
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
    chosen.current = { name, y: scrollY };
    setCurrent(name);
  };
  return { current, show };
}

/**
 * A long screen in parts, with a list of them: beside the content where it has room, otherwise a menu that stays at the
 * top. Each part has a heading with `partHeading`.
 */
export function PageParts({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const content = useRef<HTMLDivElement>(null);
  const parts = useParts(content);
  const { current, show } = useCurrentPart(content, parts);
  const [path] = useLocation();
  const [parameters] = useQueryParams();
  const section = parameters.get('section');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address shows another part
  useEffect(() => {
    if (section !== null) show(section);
  }, [section]);
  const hrefOf = (name: string): string => withParameters(path, { q: parameters.get('q'), section: name });
  const title = parts.find(({ name }) => name === current)?.title ?? '';
  return (
    <div className={styles.parted}>
      {parts.length > 1 && (
        <nav aria-label={t('page.parts')} className={styles.parts}>
          <p aria-hidden="true" className={classNames(sidebar.heading, styles.list)}>
            {t('page.parts')}
          </p>
          <ul className={styles.list}>
            {parts.map((part) => (
              <li key={part.name}>
                <Link
                  href={hrefOf(part.name)}
                  aria-current={part.name === current ? 'location' : undefined}
                  className={sidebar.item}
                  onClick={() => show(part.name)}
                >
                  {part.title}
                </Link>
              </li>
            ))}
          </ul>
          <div className={styles.menu}>
            <Menu
              label={t('page.parts')}
              align="start"
              trigger={(props) => (
                <button type="button" {...props} className={sidebar.item}>
                  <span className={sidebar.label}>
                    {t('text.detail', { text: t('page.parts'), detail: title })}
                  </span>
                  <ExpandIcon />
                </button>
              )}
              items={parts.map(({ name, title: label }) => ({
                label,
                checked: name === current,
                onSelect: () => show(name),
              }))}
            />
          </div>
        </nav>
      )}
      <div ref={content} className={styles.content}>
        {children}
      </div>
    </div>
  );
}
