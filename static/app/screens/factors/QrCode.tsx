import { encode } from 'uqr';
import styles from './Factors.module.css';

/** A QR code with this text. One path for all dark modules, so that no gaps are drawn between them. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={styles.qr}>
      <path d={path.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}
