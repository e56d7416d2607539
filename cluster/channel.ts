/** Receives messages of the other processes. */
export interface Receiver {
  /** Another process has published a message. Messages of one process arrive in order. */
  message(topic: string, content: unknown): void;
  /** Messages were lost, for example while the network was down: everything kept in memory may be out of date. */
  missed(): void;
  /**
   * Messages cannot be received at the moment. Called every few seconds until they can, then `missed` is called if any
   * were lost.
   */
  unavailable(): void;
}

/** Carries messages from each process to all others. */
export interface Channel {
  /** Sends a JSON value to the other processes, not to this one. Does not wait, and never throws. */
  publish(topic: string, content: unknown): void;
  /** Returns a function that ends the subscription. */
  subscribe(receiver: Receiver): () => void;
  /**
   * Resolves when everything that was published before this call, and that this process receives, has been passed to
   * the receivers. `undefined` while no messages arrive. Rejects when the connection is lost.
   */
  received(): Promise<void> | undefined;
  /**
   * Resolves when `received` of other processes, if called now, waits for everything that this process has published,
   * or when sending has failed. `undefined` when nothing is being sent.
   */
  sent(): Promise<void> | undefined;
}
