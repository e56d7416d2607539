/** `npm run build`: the page and the server bundle. */
import { buildPage } from './buildPage';
import { buildServer } from './buildServer';

/** Builds everything that `npm pack` ships. Throws when something does not compile. */
export async function buildAll(): Promise<void> {
  await Promise.all([buildPage(), buildServer()]);
}

if (require.main === module) {
  buildAll().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
