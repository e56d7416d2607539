/** `npm run build` builds the page and the server bundle. */
import { buildPage } from './buildPage';
import { buildServer } from './buildServer';
import { writeNotices } from './notices';

/** Builds what `npm pack` ships. Throws if something does not compile, or the licence of a package is not allowed. */
export async function buildAll(): Promise<void> {
  const [page, server] = await Promise.all([buildPage(), buildServer()]);
  await writeNotices([...page, ...server]);
}

if (require.main === module) {
  buildAll().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
