/**
 * The icons of the first visit, 18 px (styles/base.css); all others are in screenIcons.ts. They are from one set. Every
 * icon needs a text beside it or an accessible name.
 */
export { default as BackIcon } from 'lucide-react/icons/arrow-left';
export { default as CheckIcon } from 'lucide-react/icons/check';
export { default as NextIcon } from 'lucide-react/icons/chevron-right';
export { default as SuccessIcon } from 'lucide-react/icons/circle-check';
export { default as ErrorIcon } from 'lucide-react/icons/circle-exclamation-point';
export { default as TimeIcon } from 'lucide-react/icons/clock';
export { default as MoreIcon } from 'lucide-react/icons/ellipsis';
export { default as ShowIcon } from 'lucide-react/icons/eye';
export { default as HideIcon } from 'lucide-react/icons/eye-off';
export { default as InfoIcon } from 'lucide-react/icons/info';
export { default as LanguageIcon } from 'lucide-react/icons/languages';
export { default as SystemThemeIcon } from 'lucide-react/icons/monitor';
export { default as DarkThemeIcon } from 'lucide-react/icons/moon';
export { default as RetryIcon } from 'lucide-react/icons/refresh-cw';
export { default as NothingFoundIcon } from 'lucide-react/icons/search-x';
export { default as LightThemeIcon } from 'lucide-react/icons/sun';
export { default as WarningIcon } from 'lucide-react/icons/triangle-exclamation-point';
export { default as OfflineIcon } from 'lucide-react/icons/unplug';
export { default as CloseIcon } from 'lucide-react/icons/x';
