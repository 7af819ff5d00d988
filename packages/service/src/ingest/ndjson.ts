/** The records as a body with one JSON text per line, in pieces. */
export function* ndjson(records: readonly object[]): Generator<Buffer> {
  for (let from = 0; from < records.length; from += 200) {
    const part = records.slice(from, from + 200).map((record) => JSON.stringify(record));
    yield Buffer.from(`${part.join('\n')}\n`);
  }
}
