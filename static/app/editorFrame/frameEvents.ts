/** Messages between this page and the frame that shows a pad. */
import { useEffect } from 'react';
import { useLatest } from '../lib/useLatest';
import type { Report } from './frame';

function isReport(data: unknown): data is Report {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'mypads:refused';
}

/** A message of static/pad/hooks.ts. `FrameEvents` says what each of them means. */
export interface EditorMessage {
  ep_mypads: 'access' | 'page' | 'elsewhere' | 'escape' | 'palette' | 'disconnected' | 'people' | 'ready';
  unsaved?: boolean;
  within?: number;
}

const isFromEditor = (data: unknown): data is EditorMessage =>
  typeof data === 'object' && data !== null && 'ep_mypads' in data;

export interface FrameEvents {
  /** A frame of this page was redirected to this page instead of the editor. */
  onRefusal?: () => void;
  /**
   * The access rights of the pad in a frame have changed. The editor is disconnected and waits for `answerEditor`.
   * `unsaved`: it shows text that the server does not have.
   */
  onChange?: (unsaved: boolean) => void;
  /** A name, the folder or a right that the app shows has changed. `within`: milliseconds to read it again. */
  onPage?: (within: number) => void;
  /** The person has opened the pad in another window, and Etherpad has closed this editor. `unsaved`: as above. */
  onElsewhere?: (unsaved: boolean) => void;
  /** Escape was pressed in the text of the editor. */
  onEscape?: () => void;
  /** The editor has lost its connection and has stopped trying to connect. */
  onDisconnect?: () => void;
  /** Ctrl+K or Cmd+K was pressed in the text of the editor. */
  onPalette?: () => void;
  /** Somebody has opened or left the pad in a frame. */
  onPeople?: () => void;
  /** The editor can be used, and has the focus unless the person uses something else. */
  onReady?: () => void;
}

function handleMessage(handlers: FrameEvents, { ep_mypads: what, unsaved, within }: EditorMessage): void {
  if (what === 'access') handlers.onChange?.(unsaved === true);
  if (what === 'page') handlers.onPage?.(Number(within) || 0);
  if (what === 'elsewhere') handlers.onElsewhere?.(unsaved === true);
  if (what === 'escape') handlers.onEscape?.();
  if (what === 'disconnected') handlers.onDisconnect?.();
  if (what === 'palette') handlers.onPalette?.();
  if (what === 'people') handlers.onPeople?.();
  if (what === 'ready') handlers.onReady?.();
}

/** Listens to messages from frames of this page. */
export function useFrameEvents(handlers: FrameEvents): void {
  const latest = useLatest(handlers);
  useEffect(() => {
    const listen = (event: MessageEvent): void => {
      if (event.origin !== location.origin) return;
      const { data } = event;
      const now = latest.current;
      if (isReport(data)) now.onRefusal?.();
      if (isFromEditor(data)) handleMessage(now, data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
}

/** Tells the editor in a frame that the server answers again. The editor reloads, unless it has unsaved text. */
export function askToReconnect(frame: HTMLIFrameElement | null): void {
  send(frame, 'reconnect');
}

/** Answers an editor whose access has changed: it reloads now, or stays as it is until its frame is replaced. */
export function answerEditor(frame: HTMLIFrameElement | null, answer: 'reload' | 'hold'): void {
  send(frame, answer);
}

function send(frame: HTMLIFrameElement | null, what: 'reconnect' | 'reload' | 'hold'): void {
  frame?.contentWindow?.postMessage({ ep_mypads: what }, location.origin);
}
