/** Name-based GUIDs (RFC 9562, version 5). */
import { v5 } from 'uuid';

/** The GUID of a name within the namespace of another GUID, of any version. */
export const namedGuid = (namespace: string, name: string): string =>
  // As bytes, because the library accepts text only for GUIDs of a known version.
  v5(name, Buffer.from(namespace.replaceAll('-', ''), 'hex'));
