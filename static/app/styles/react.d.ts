import 'react';

declare module 'react' {
  /** Our own custom properties may be set on an element. */
  interface CSSProperties {
    '--width'?: string;
    '--narrow'?: string;
  }
}
