/**
 * Whether the server answers. If it does not, the page keeps its content and asks every few seconds. When the server
 * answers again, everything on the screen is read again.
 */
import { useEffect } from 'react';
import { createListeners, createStore } from '../lib/store';
import { useLatest } from '../lib/useLatest';
import { base } from '../navigation/location';

/** Milliseconds between two tries: doubled after each, up to the longest. */
const firstPause = 1_000;
const longestPause = 8_000;
/** As calls have: over a slow network, an answer takes as long as theirs. */
const timeLimit = 20_000;

const lost = createStore(false);
const serverReturn = createListeners();
let tryNow: () => void = () => {};

function setLost(next: boolean): void {
  if (lost.get() === next) return;
  lost.set(next);
  if (!next) serverReturn.notify();
}

async function answers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeLimit);
    return (await fetch(`${base}api/cache/check`, { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** Resolves after `milliseconds`, or earlier when the browser has a network again. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    tryNow = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Call it when a call got no answer. Asks until the server answers again. */
export async function connectionLost(): Promise<void> {
  if (lost.get()) return;
  setLost(true);
  for (let wait = firstPause; lost.get(); wait = Math.min(2 * wait, longestPause)) {
    await pause(wait);
    if (await answers()) setLost(false);
  }
}

addEventListener('online', () => tryNow());
addEventListener('offline', () => void connectionLost());

/** Calls `listener` each time the server answers again. Returns a function that ends this. */
export const onServerReturn = serverReturn.subscribe;

/** Like `onServerReturn`, for as long as a component is shown. */
export function useServerReturn(handler: () => void): void {
  const latest = useLatest(handler);
  useEffect(() => onServerReturn(() => latest.current()), []);
}

/** Whether the last call got no answer. */
export const useConnectionLost = lost.use;
