/** What a screenshot shows. */
import type { Page } from 'playwright-core';
import type { SampleData } from './sampleData';

export interface Shot {
  name: string;
  /** The route. */
  path: (data: SampleData) => string;
  /** Signed in as; a guest when missing. */
  as?: 'me' | 'newcomer' | 'member' | 'admin';
  /** What is done before the screenshot. */
  act?: (page: Page, data: SampleData) => Promise<void>;
  /** The whole length of the screen. */
  full?: boolean;
}
