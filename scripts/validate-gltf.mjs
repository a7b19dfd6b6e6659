// Runs the Khronos validator on every .gltf and .glb file below a folder.
// Prints one line for each error. Exits with 1 if there are errors.
//
// usage: node scripts/validate-gltf.mjs FOLDER

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import validator from 'gltf-validator';

const ERROR = 0;
const folder = process.argv[2];
if (!folder) {
  console.error('usage: node scripts/validate-gltf.mjs FOLDER');
  process.exit(2);
}

// An image that is missing next to the source is also missing next to the copy.
const isMissingImage = ({ code, pointer }) => code === 'IO_ERROR' && pointer.startsWith('/images/');
const isError = (issue) => issue.severity === ERROR && !isMissingImage(issue);

const names = await readdir(folder, { recursive: true });
const files = names.filter((name) => /\.(gltf|glb)$/i.test(name)).sort();
let errors = 0;
for (const name of files) {
  const file = path.join(folder, name);
  const beside = (uri) => readFile(path.join(path.dirname(file), decodeURIComponent(uri)));
  const bytes = new Uint8Array(await readFile(file));
  const options = {
    uri: name,
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(await beside(uri)),
  };
  // The validator itself fails on some broken documents.
  const report = await validator.validateBytes(bytes, options).catch((failure) => ({
    issues: { messages: [{ severity: ERROR, pointer: '/', code: 'VALIDATOR_FAILED', message: failure }] },
  }));
  for (const issue of report.issues.messages.filter(isError)) {
    console.log(`${name}: ${issue.pointer ?? issue.offset} ${issue.code}: ${issue.message}`);
    errors += 1;
  }
}
console.log(`${files.length} files, ${errors} errors`);
process.exit(errors === 0 ? 0 : 1);
