/** The parts of the palette, and the list of shortcuts, that are loaded when one of them is first opened. */
export { Results } from './Results';
export { ShortcutList } from './ShortcutList';
