declare module 'guide:*' {
  export const guide: import('./guideTexts').GuideTexts;
}

declare module 'docs:pages' {
  export const docs: import('./guideTexts').GuideTexts;
}

/** The page of docs/ about a setting, perhaps with a heading: `mail#test-it`. */
declare module 'docs:settings' {
  export const settingPages: Readonly<Record<string, string>>;
}
