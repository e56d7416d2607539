declare module 'guide:*' {
  export const guide: import('./guideTexts').GuideTexts;
}
