/**
 * All folders and pads, for the lists of server administrators. The database can only be read by key, so the fields of
 * the filters are copied into memory: in the background at the first list, then updated by events.
 */
import { CatalogueLines } from './catalogueLines';
import { type CatalogueContext, CatalogueReading } from './catalogueReading';
import { type CataloguePage, type CatalogueQuery, findGroups, findPads } from './catalogueSearch';

export interface Catalogue {
  /** Both lists throw SERVER.BUSY until the first read has finished. */
  groups(query: CatalogueQuery): Promise<CataloguePage>;
  pads(query: CatalogueQuery): Promise<CataloguePage>;
  /** All ids with a valid record, also of pads without a folder. Throws SERVER.BUSY as the lists do. */
  ids(): Promise<{ groups: readonly string[]; pads: readonly string[] }>;
  /** Number of pads and time of the last change of a folder. */
  factsOf(groupId: string): { padCount: number; lastUpdate: number };
  close(): void;
}

export function createCatalogue(context: CatalogueContext): Catalogue {
  const lines = new CatalogueLines();
  const reading = new CatalogueReading(context, lines);
  return {
    async groups(query) {
      await reading.waitUntilCurrent();
      return findGroups(lines, query);
    },
    async pads(query) {
      await reading.waitUntilCurrent();
      return findPads(lines, query);
    },
    async ids() {
      await reading.waitUntilCurrent();
      return { groups: lines.groups.order, pads: lines.pads.order };
    },
    factsOf: (groupId) => lines.factsOf(groupId),
    close: () => reading.close(),
  };
}
