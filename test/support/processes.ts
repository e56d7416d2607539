/** Several processes on one database, in the process of the tests: what they share, and the network between them. */

import type { Receiver } from '../../cluster/channel';
import type { Shared } from '../../cluster/exchange';
import { createInProcessCoordination } from '../../model/inProcessCoordination';
import type { Coordination } from '../../model/ports';

export interface Member extends Shared {
  /** Cuts this process off from the others. Resolves when it has noticed. */
  cutOff(): Promise<void>;
  /** Reconnects this process, which has missed messages. */
  comeBack(): Promise<void>;
  /** The process has ended. */
  leave(): Promise<void>;
}

export interface Network {
  join(): Promise<Member>;
  close(): Promise<void>;
}

interface Peer {
  receivers: Set<Receiver>;
  isConnected: boolean;
  begin?: () => Promise<void>;
}

/** `now`: milliseconds since 1970. */
export function createNetwork(now: () => number): Network {
  const shared = createInProcessCoordination({ now });
  const limiters = new Map<string, ReturnType<Coordination['rateLimiter']>>();
  const peers = new Set<Peer>();
  const isFirst = (peer: Peer): boolean => [...peers][0] === peer;

  function deliver(from: Peer, topic: string, content: unknown): void {
    if (!from.isConnected) return;
    const text = JSON.stringify(content);
    setImmediate(() => {
      for (const peer of peers) {
        if (peer === from || !peer.isConnected) continue;
        for (const receiver of peer.receivers) receiver.message(topic, JSON.parse(text));
      }
    });
  }

  return {
    close: async () => {},
    async join() {
      const peer: Peer = { receivers: new Set(), isConnected: true };
      peers.add(peer);
      return {
        lock: shared.lock,
        tryLock: shared.tryLock,
        keep: async (name, value, terms) => shared.keep(name, JSON.stringify(value), terms),
        async take(name) {
          const text = await shared.take(name);
          return text === undefined ? undefined : JSON.parse(text as string);
        },
        rateLimiter(name, limit) {
          const limiter = limiters.get(name) ?? shared.rateLimiter(name, limit);
          limiters.set(name, limiter);
          return limiter;
        },
        isConnected: () => peer.isConnected,
        writePermit: () => () => peer.isConnected,
        publish: (topic, content) => deliver(peer, topic, content),
        subscribe(receiver) {
          peer.receivers.add(receiver);
          return () => void peer.receivers.delete(receiver);
        },
        received: () =>
          peer.isConnected ? new Promise<void>((resolve) => setImmediate(resolve)) : undefined,
        sent: () => undefined,
        async lead(begin) {
          peer.begin = begin;
          if (isFirst(peer)) await begin();
        },
        isLeader: () => isFirst(peer),
        async cutOff() {
          peer.isConnected = false;
        },
        async comeBack() {
          peer.isConnected = true;
          for (const receiver of peer.receivers) receiver.missed();
        },
        async leave() {
          peers.delete(peer);
          const [leader] = peers;
          void leader?.begin?.();
        },
      };
    },
  };
}
