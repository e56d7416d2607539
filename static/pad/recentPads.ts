/** Under this name Etherpad 2.4 and newer keep the pads that were opened last, for everyone who uses this browser. */
const name = 'recentPads';

/** The pad at this address, as Etherpad writes it into the list. */
const here = (): string => decodeURIComponent(window.location.pathname.split('/').at(-1) ?? '');

/**
 * Removes this pad from the list that Etherpad shows on its front page: on a shared computer, the next person would
 * read the names of pads that they may not open.
 */
export function forgetPad(): void {
  try {
    const pads: { name?: unknown }[] = JSON.parse(window.localStorage.getItem(name) ?? '[]');
    const others = pads.filter((pad) => pad.name !== here());
    if (others.length < pads.length) window.localStorage.setItem(name, JSON.stringify(others));
  } catch {
    // The browser keeps nothing for this site, or something else has this name.
  }
}
