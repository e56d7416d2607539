/**
 * Turns an icon of lucide-react into a component. The build uses this instead of lucide-react's own function, whose
 * code is as large as all icons of a first visit.
 */
import { createElement, type SVGAttributes } from 'react';
import { classNames } from './classNames';

interface IconData {
  name: string;
  size: number;
  node: [tag: string, attributes: SVGAttributes<SVGElement>][];
}

const outline = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const;

export default function createIcon({ name, size, node }: IconData) {
  const box = { width: size, height: size, viewBox: `0 0 ${size} ${size}` };
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return ({ className, ...props }: SVGAttributes<SVGSVGElement>) =>
    createElement(
      'svg',
      { ...outline, ...box, className: classNames('lucide', `lucide-${name}`, className), ...props },
      ...shapes,
    );
}
