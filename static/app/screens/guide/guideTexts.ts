/**
 * The guide in one language, as bin/guide.ts makes it from static/guide. docs/ has the same form (bin/docsPages.ts).
 */

export interface GuidePage {
  /** Its name in addresses. */
  name: string;
  title: string;
  /** Its first sentence. */
  summary: string;
  /** Its text without the title. Made from our own files only. */
  html: string;
}

export interface GuideGroup {
  title: string;
  pages: GuidePage[];
}

export interface GuideTexts {
  intro: string;
  groups: GuideGroup[];
}
