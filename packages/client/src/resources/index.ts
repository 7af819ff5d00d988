/**
 * The resources of the client, one file each: the report families with their types of asks and records (`families.ts`
 * lists them), dayparts, access and imports.
 */
