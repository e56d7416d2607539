/**
 * Makes an icon of the set a component. The build puts it in the place of lucide-react's own function, whose code
 * weighs as much as the icons of a first visit.
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
      shapes,
    );
}
