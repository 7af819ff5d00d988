// The command of a caller that adds a table of its own to those of the package.
import { main, reportsOf, TABLES } from '@daypart/cli';

const tables = [...TABLES, { word: 'covers', load: async () => (await import('./table.ts')).COVERS }];
await main({ version: '0', sections: [reportsOf(tables)], notes: [] }, process.argv.slice(2));
