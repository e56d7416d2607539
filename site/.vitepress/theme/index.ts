/** VitePress' own theme with system fonts and our colours. */
import DefaultTheme from 'vitepress/theme-without-fonts';
import { mendSearchBox } from './searchBox';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp(): void {
    if (typeof document !== 'undefined') mendSearchBox();
  },
};
