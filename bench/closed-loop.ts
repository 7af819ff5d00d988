/** Every connection sends its next GET after the answer to its last one. Prints requests per second. */
import { finish, openConnection, readOptions } from './get.ts';

const options = readOptions();
let answered = 0;
for (let i = 0; i < options.connections; i++) {
  const send = openConnection(options, () => {
    answered++;
    send();
  });
  send();
}
const began = performance.now();
setTimeout(() => finish((answered / (performance.now() - began)) * 1000), options.seconds * 1000);
