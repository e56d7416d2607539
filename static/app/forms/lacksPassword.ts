/** Whether a private folder or pad still needs a password. `kept`: it has one, which stays if none is typed. */
export function lacksPassword(
  { visibility, password }: { visibility: unknown; password: string },
  kept: boolean,
): boolean {
  return visibility === 'private' && password === '' && !kept;
}
