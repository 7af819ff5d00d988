/** The parts of an export over HTTP, described and read from one declaration. */
import { fieldProblem } from '../contract/problems.ts';
import { Text, Type } from '../contract/schemas.ts';
import { type BodyField, bodyReader } from '../http/body-fields.ts';
import { type Mapping, NO_MAPPING, readMapping } from './mapping.ts';

/** The names of the files that arrived. */
const filesField: BodyField<readonly string[]> = {
  schema: Type.Array(Type.String({ format: 'binary' }), {
    description: 'The files of the folder, by any field names',
  }),
  read(names) {
    if (Array.isArray(names) && names.length > 0) return names;
    throw fieldProblem('invalid_body', '', 'The body has no files.');
  },
};

const columnsField: BodyField<Mapping> = {
  schema: Type.Optional(Text('{}', { description: 'Renamed columns, as the file of `daypart import --columns`' })),
  read(text, at) {
    if (text === undefined) return NO_MAPPING;
    try {
      return readMapping(String(text));
    } catch (error) {
      throw fieldProblem('invalid_body', at, `columns: ${(error as Error).message}`);
    }
  },
};

export const exportBody = bodyReader('ExportFiles', { files: filesField, columns: columnsField }, { open: true });
