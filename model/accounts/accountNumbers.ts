/** Hash table from the ids of accounts to their numbers. Holds only numbers; the caller compares the ids. */

/** Numbers by the hash of their id, in chains. */
export class AccountNumbers {
  /** The first number of each chain and the next ones, counted from 1. 0 ends a chain. */
  private first = new Int32Array(1 << 16);
  private next = new Int32Array(512);
  private hashes = new Uint32Array(512);

  /** The number with this hash that `isSame` accepts; `-1` when there is none. */
  find(hash: number, isSame: (number: number) => boolean): number {
    for (let found = this.firstOf(hash); found > 0; found = this.next[found - 1] ?? 0) {
      if (this.hashes[found - 1] === hash && isSame(found - 1)) return found - 1;
    }
    return -1;
  }

  add(number: number, hash: number): void {
    if (number >= this.next.length) this.grow(number);
    this.hashes[number] = hash;
    this.next[number] = this.firstOf(hash);
    this.first[hash % this.first.length] = number + 1;
  }

  /** Call it only for a number that was added. */
  remove(number: number): void {
    const chain = (this.hashes[number] ?? 0) % this.first.length;
    const after = this.next[number] ?? 0;
    if (this.first[chain] === number + 1) {
      this.first[chain] = after;
      return;
    }
    let before = this.first[chain] ?? 0;
    while (before > 0 && this.next[before - 1] !== number + 1) before = this.next[before - 1] ?? 0;
    if (before > 0) this.next[before - 1] = after;
  }

  private firstOf(hash: number): number {
    return this.first[hash % this.first.length] ?? 0;
  }

  private grow(number: number): void {
    const length = Math.max(number + 1, Math.ceil(this.next.length * 1.5));
    const [next, hashes] = [new Int32Array(length), new Uint32Array(length)];
    next.set(this.next);
    hashes.set(this.hashes);
    [this.next, this.hashes] = [next, hashes];
    if (length > this.first.length * 4) this.lengthenChains();
  }

  /** Four times as many chains, so that they stay short. */
  private lengthenChains(): void {
    const old = this.first;
    const hashes = this.hashes;
    const next = this.next.slice();
    this.first = new Int32Array(old.length * 4);
    for (const start of old) {
      for (let number = start; number > 0; number = next[number - 1] ?? 0) {
        this.add(number - 1, hashes[number - 1] ?? 0);
      }
    }
  }
}
