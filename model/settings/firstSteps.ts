/** What an administrator does first on a fresh server, in this order. The setting `firstSteps` names what is settled. */
export const firstSteps = ['address', 'mail', 'accounts', 'folder'] as const;

export type FirstStep = (typeof firstSteps)[number];
