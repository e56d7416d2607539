/** Somebody who uses the app with the keyboard alone, or on a phone with taps. */
import type { Locator, Page } from 'playwright-core';
import { frameOf, textOf, untilCaretIsInText } from './editor';

export interface StoryUser {
  page: Page;
  /** Presses a button or link. */
  use(target: Locator): Promise<void>;
  /** Types into a field, in place of what is there. */
  fill(target: Locator, text: string): Promise<void>;
  /** Opens a menu, and presses an item. */
  choose(menu: Locator, item: string): Promise<void>;
  /** Chooses one of a group of radio buttons. */
  pick(options: Locator, name: string): Promise<void>;
  /** Chooses an option of a list that opens. */
  select(target: Locator, option: string): Promise<void>;
  /** Types at the end of the pad that is open. */
  write(text: string): Promise<void>;
  /** Opens the menu with the screens, where it is not always shown. */
  openMenu(): Promise<void>;
}

/** More presses of Tab than any screen needs. */
const mostPresses = 120;

export class KeyboardUser implements StoryUser {
  constructor(readonly page: Page) {}

  private press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  private async has(target: Locator): Promise<boolean> {
    return (await target.and(this.page.locator(':focus')).count()) > 0;
  }

  /** Presses a key until the target has the focus. */
  private async pressUntil(target: Locator, key: string): Promise<void> {
    await target.first().waitFor();
    for (let presses = 0; presses < mostPresses; presses += 1) {
      if (await this.has(target)) return;
      await this.press(key);
    }
    throw new Error(`${key} does not reach ${target}`);
  }

  /** Tab writes a tab into a pad. Alt+F9 goes to the buttons of the editor, from where Shift+Tab leads out. */
  async leaveEditor(target: Locator): Promise<void> {
    await this.press('Alt+F9');
    await this.pressUntil(target, 'Shift+Tab');
  }

  async use(target: Locator): Promise<void> {
    await this.pressUntil(target, 'Tab');
    await this.press('Enter');
  }

  async fill(target: Locator, text: string): Promise<void> {
    await this.pressUntil(target, 'Tab');
    await this.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  async choose(menu: Locator, item: string): Promise<void> {
    await this.use(menu);
    await this.pressUntil(this.page.getByRole('menuitem', { name: item, exact: true }), 'ArrowDown');
    await this.press('Enter');
  }

  async pick(options: Locator, name: string): Promise<void> {
    await this.pressUntil(options.getByRole('radio'), 'Tab');
    const option = options.getByRole('radio', { name, exact: true });
    for (let presses = 0; presses < 10 && !(await option.isChecked()); presses += 1)
      await this.press('ArrowDown');
  }

  async select(target: Locator, option: string): Promise<void> {
    await this.pressUntil(target, 'Tab');
    await this.page.keyboard.type(option);
  }

  async write(text: string): Promise<void> {
    await untilCaretIsInText(this.page);
    await this.press('ControlOrMeta+End');
    await this.page.keyboard.type(text);
  }

  async openMenu(): Promise<void> {}
}

export class TouchUser implements StoryUser {
  constructor(readonly page: Page) {}

  use(target: Locator): Promise<void> {
    return target.tap();
  }

  async fill(target: Locator, text: string): Promise<void> {
    await target.tap();
    await target.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  async choose(menu: Locator, item: string): Promise<void> {
    await menu.tap();
    await this.page.getByRole('menuitem', { name: item, exact: true }).tap();
  }

  pick(options: Locator, name: string): Promise<void> {
    return options.getByText(name, { exact: true }).tap();
  }

  async select(target: Locator, option: string): Promise<void> {
    await target.selectOption(option);
  }

  async write(text: string): Promise<void> {
    await untilCaretIsInText(this.page);
    await textOf(frameOf(this.page)).tap();
    await this.page.keyboard.press('ControlOrMeta+End');
    await this.page.keyboard.type(text);
  }

  openMenu(): Promise<void> {
    return this.page.getByRole('button', { name: 'Open the menu' }).tap();
  }
}
