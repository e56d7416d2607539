/** The first steps of an administrator on a new server, in order. The setting `firstSteps` lists the closed ones. */
export const firstSteps = ['address', 'mail', 'accounts', 'folder'] as const;

export type FirstStep = (typeof firstSteps)[number];
