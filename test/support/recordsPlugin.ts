/** A plugin that tests install beside ours. Like ep_comments_page, it stores records beside pads. */
export const exportEtherpadAdditionalContent = (): string[] => ['test-records'];
