/** Somebody who uses the app with the keyboard alone. */
import type { Locator, Page } from 'playwright-core';

/** More presses of Tab than any screen needs. */
const mostPresses = 120;

export class KeyboardUser {
  constructor(readonly page: Page) {}

  press(...keys: string[]): Promise<void> {
    return keys.reduce(async (before, key) => {
      await before;
      await this.page.keyboard.press(key);
    }, Promise.resolve());
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  private async has(target: Locator): Promise<boolean> {
    return (await target.and(this.page.locator(':focus')).count()) > 0;
  }

  /** Waits until the target is there, and presses Tab until it has the focus. */
  async goTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.first().waitFor();
    for (let presses = 0; presses < mostPresses; presses += 1) {
      if (await this.has(target)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`The keyboard does not reach ${target}`);
  }

  /** Goes to a button or link, and presses it. */
  async use(target: Locator): Promise<void> {
    await this.goTo(target);
    await this.page.keyboard.press('Enter');
  }

  /** Goes to a field and types into it, in place of what is there. */
  async fill(target: Locator, text: string): Promise<void> {
    await this.goTo(target);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** Opens a menu, goes to an item with the arrow keys, and presses it. */
  async choose(menu: Locator, item: string): Promise<void> {
    await this.use(menu);
    const wanted = this.page.getByRole('menuitem', { name: item, exact: true });
    await wanted.waitFor();
    for (let presses = 0; presses < mostPresses; presses += 1) {
      if (await this.has(wanted)) return this.press('Enter');
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`The arrow keys do not reach ${item}`);
  }

  /** Goes into a group of radio buttons, and chooses one with the arrow keys. */
  async pick(options: Locator, option: Locator): Promise<void> {
    await this.goTo(options);
    for (let presses = 0; presses < 10 && !(await option.isChecked()); presses += 1) {
      await this.page.keyboard.press('ArrowDown');
    }
  }
}
