// Writes models compressed by the usual optimisers: gltf-transform (meshopt at each level, draco, quantize, and webp
// if the model has pictures) and gltfpack. scripts/compressed-variants runs this in the folder with these tools.
//
// usage: node --input-type=module - OUT FILE… < scripts/compressed-variants.mjs

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { draco, meshopt, quantize, textureCompress, unpartition } from '@gltf-transform/functions';
import draco3d from 'draco3dgltf';
import { pack } from 'gltfpack';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';

const [out, ...files] = process.argv.slice(2);
await MeshoptDecoder.ready;
await MeshoptEncoder.ready;
const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.ERROR)).registerExtensions(ALL_EXTENSIONS).registerDependencies({
  'meshopt.decoder': MeshoptDecoder,
  'meshopt.encoder': MeshoptEncoder,
  'draco3d.decoder': await draco3d.createDecoderModule(),
  'draco3d.encoder': await draco3d.createEncoderModule(),
});
const variants = {
  'meshopt-medium': meshopt({ encoder: MeshoptEncoder, level: 'medium' }),
  'meshopt-high': meshopt({ encoder: MeshoptEncoder, level: 'high' }),
  draco: draco({ method: 'edgebreaker' }),
  'draco-sequential': draco({ method: 'sequential' }),
  quantize: quantize(),
  webp: textureCompress({ encoder: sharp, targetFormat: 'webp' }),
};

// Puts everything into one buffer, as in GLB.
async function read(file) {
  return (await parsed(file)).transform(unpartition());
}

// Pictures of some models are missing. These models are read without materials.
async function parsed(file) {
  if (extname(file) === '.glb') return io.read(file);
  const json = JSON.parse(readFileSync(file));
  const beside = ({ uri }) => uri === undefined || uri.startsWith('data:') || existsSync(join(dirname(file), decodeURI(uri)));
  if ((json.images ?? []).every(beside)) return io.read(file);
  for (const name of ['images', 'textures', 'materials']) delete json[name];
  for (const { primitives } of json.meshes) for (const primitive of primitives) delete primitive.material;
  const resources = {};
  for (const { uri } of json.buffers) resources[uri] = readFileSync(join(dirname(file), uri));
  return io.readJSON({ json, resources });
}

const disk = { read: (path) => readFileSync(path), write: (path, data) => writeFileSync(path, data) };
for (const file of files) {
  const name = basename(file, extname(file));
  const place = (variant) => join(out, `${name}--${variant}.glb`);
  const plain = join(out, `${name}.glb`);
  // Existing files are kept.
  if (existsSync(place('gltfpack-cc-kv'))) continue;
  await io.write(plain, await read(file));
  for (const [variant, transform] of Object.entries(variants)) {
    const document = await read(file);
    if (variant === 'webp' && document.getRoot().listTextures().length === 0) continue;
    document.setLogger(new Logger(Logger.Verbosity.ERROR));
    try {
      await document.transform(transform);
      await io.write(place(variant), document);
    } catch (refusal) {
      // For example, skins without inverse bind matrices. The message is stored instead of the file.
      writeFileSync(place(variant).replace('.glb', '.refused'), `${refusal}\n`);
    }
  }
  const packs = { c: ['-c', '-kn', '-noq'], cc: ['-cc', '-kn'], 'cc-kv': ['-cc', '-kn', '-kv'] };
  for (const [kind, options] of Object.entries(packs)) {
    // The tool may refuse a file.
    await pack(['-i', plain, '-o', place(`gltfpack-${kind}`), ...options], disk).catch(() => {});
  }
  console.log(name);
}
