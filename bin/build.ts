/** `npm run build`: the server bundle and the page. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildServer } from './buildServer';

/** Builds everything that `npm pack` ships. Throws when something does not compile. */
export async function buildAll(): Promise<void> {
  await buildServer();
  const page = path.join(__dirname, 'buildPage.ts');
  if (existsSync(page)) await ((await import(page)) as { buildPage(): Promise<void> }).buildPage();
}

if (require.main === module) {
  buildAll().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
