import { type AnchorHTMLAttributes, type ReactNode, type Ref, useMemo, useSyncExternalStore } from 'react';
import { ignoreSecondPress } from '../lib/secondPress';
import { createListeners, createStore } from '../lib/store';
import { type Parameters, parametersOf, parameterValues, pathOf, searchOf, withParameters } from './path';

export { parametersOf, parameterValues, pathOf, withParameters } from './path';

/** The path of the page with a slash at the end: `/mypads/`, or longer behind a proxy. */
export const base = location.pathname.replace(/index\.html$/, '');

/** The href of a path, for links: `/mypads?q=math` becomes `/mypads/?/mypads&q=math`. */
export function toHref(path: string): string {
  return base + searchOf(path);
}

/** The full URL of a path, to copy and send. */
export function toUrl(path: string): string {
  return location.origin + toHref(path);
}

interface Entry {
  index: number;
}

const { notify, subscribe } = createListeners();
let shown = location.search;
let index = (history.state as Entry | null)?.index ?? 0;
history.replaceState({ index }, '');

let focusHeading = false;

/** True once after each change of route. The heading of the new screen then takes the focus. */
export function takeHeadingFocus(): boolean {
  const asked = focusHeading;
  focusHeading = false;
  return asked;
}

/** Whether another screen was opened that is not shown yet. */
export const isOpening = (): boolean => focusHeading;

function show(): void {
  if (pathOf(shown) !== pathOf(location.search)) focusHeading = true;
  shown = location.search;
  notify();
}

/* Unsaved changes: the form registers a guard, and the shell asks before the screen is left. */

type Guard = () => boolean;
const guards = new Set<Guard>();
const leaving = createStore<(() => void) | null>(null);

function unsaved(): boolean {
  return [...guards].some((guard) => guard());
}

/** Asks whether unsaved changes may be lost. `leave` is called if they may. */
export const askToLeave: (leave: () => void) => void = leaving.set;

/** Calls `leave`, which leaves the screen. Asks first if a form has unsaved changes. */
export function leaveScreen(leave: () => void): void {
  const go = (): void => {
    guards.clear();
    leave();
  };
  if (unsaved()) askToLeave(go);
  else leave();
}

/** Asks before the screen is left while `hasChanges` returns true. Returns a function that removes the guard. */
export function guardLeaving(hasChanges: Guard): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (hasChanges()) event.preventDefault();
  };
  guards.add(hasChanges);
  addEventListener('beforeunload', warn);
  return () => {
    guards.delete(hasChanges);
    removeEventListener('beforeunload', warn);
  };
}

/** The question to show before unsaved changes are lost; `null`: no question. */
export function useLeaveQuestion(): { leave: () => void; stay: () => void } | null {
  const question = leaving.use();
  return useMemo(() => {
    if (question === null) return null;
    const close = (): void => leaving.set(null);
    return {
      stay: close,
      leave: () => {
        close();
        // A dialog that is left gives the focus back, which it can only when the question is gone.
        setTimeout(question);
      },
    };
  }, [question]);
}

addEventListener('popstate', (event) => {
  const target = (event.state as Entry | null)?.index ?? 0;
  const steps = target - index;
  if (unsaved() && steps !== 0 && pathOf(shown) !== pathOf(location.search)) {
    history.go(-steps);
    addEventListener('popstate', (back) => back.stopImmediatePropagation(), { once: true, capture: true });
    leaveScreen(() => history.go(steps));
    return;
  }
  index = target;
  show();
});

export interface NavigateOptions {
  /** Replaces the current entry of the browser's history. */
  replace?: boolean;
}

function go(path: string, replace: boolean): void {
  // As browsers do: a link to the address that is shown adds no entry to the history.
  const adds = !replace && searchOf(path) !== location.search;
  if (adds) index += 1;
  history[adds ? 'pushState' : 'replaceState']({ index }, '', toHref(path));
  const moved = pathOf(shown) !== pathOf(location.search);
  show();
  if (!moved) return;
  ignoreSecondPress();
  scrollTo(0, 0);
}

/** Opens a path (`/mypads/group/x/view`, `/mypads?sort=name`). Asks first if a form has unsaved changes. */
export function navigate(path: string, { replace = false }: NavigateOptions = {}): void {
  const moves = pathOf(searchOf(path)) !== pathOf(location.search);
  if (moves) leaveScreen(() => go(path, replace));
  else go(path, replace);
}

/** Takes a secret out of the address bar and the history. The screen stays. */
export function hideAddress(path: string): void {
  history.replaceState({ index }, '', toHref(path));
}

/** The route without its parameters, and `navigate`. The router uses it as its location hook. */
export function useLocation(): [path: string, go: typeof navigate] {
  return [useSyncExternalStore(subscribe, () => pathOf(shown)), navigate];
}

/**
 * Changes some of the parameters after the route: `setQueryParams({ q: 'math', page: null })` keeps the others. It
 * replaces the current history entry, so that Back leaves the screen.
 */
export function setQueryParams(changes: Parameters): void {
  const now = parameterValues(parametersOf(location.search));
  go(withParameters(pathOf(location.search), { ...now, ...changes }), true);
}

/** The parameters after the route, and `setQueryParams`. */
export function useQueryParams(): [parameters: URLSearchParams, set: typeof setQueryParams] {
  const search = useSyncExternalStore(subscribe, () => shown);
  return [useMemo(() => parametersOf(search), [search]), setQueryParams];
}

/** Whether the route has this parameter. What uses it is rendered again only when that changes. */
export const useHasParameter = (name: string): boolean =>
  useSyncExternalStore(subscribe, () => parametersOf(shown).has(name));

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path, as for `navigate`. */
  href: string;
  children?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link to a path: a real `<a href>` that opens without a reload, except in another tab. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={toHref(href)}
      onClick={(event) => {
        onClick?.(event);
        const elsewhere =
          event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0;
        if (event.defaultPrevented || elsewhere || (rest.target ?? '_self') !== '_self') return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}
