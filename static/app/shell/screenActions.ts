/** What can be done with the folder or pad on the screen. The palette offers it too. */
import { useEffect } from 'react';
import type { MenuItem } from '../components/Menu';

interface ScreenActions {
  /** The name of the folder or pad. */
  name: string;
  items: readonly MenuItem[];
}

let offered: ScreenActions | null = null;

/** Offers these actions while the component is rendered. */
export function useScreenActions(name: string, items: readonly MenuItem[]): void {
  useEffect(() => {
    const own = { name, items };
    offered = own;
    return () => {
      if (offered === own) offered = null;
    };
  });
}

/** The actions of the current screen. */
export function screenActions(): ScreenActions | null {
  return offered;
}
