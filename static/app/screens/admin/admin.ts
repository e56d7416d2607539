/** The administration: a part of its own that is loaded when somebody opens it. */
export { Administration } from './Administration';
