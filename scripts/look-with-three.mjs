// Draws glTF files with three.js, by WebGL in a headless Chromium, and writes PNGs. It uses no network.
//
// usage: node scripts/look-with-three.mjs JOBS.json
//
// JOBS.json: { environment: { file, width, height }, jobs: [{ name, glb, png, size, supersampling, exposure, tone,
// background, environment, camera: { eye, target, fov_y_rad, near, far } }] }. The environment's file is equirectangular,
// rows from the top, four little-endian f32 a pixel. LOOK_CHROMIUM sets another browser than Debian's.

import { readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [list] = process.argv.slice(2);
if (!list) {
  console.error('usage: node scripts/look-with-three.mjs JOBS.json');
  process.exit(2);
}
const { environment, jobs } = JSON.parse(await readFile(list, 'utf8'));
const three = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', 'three');
const site = 'http://look.invalid';
const page_html = `<!doctype html><script type="importmap">
{ "imports": { "three": "${site}/three/build/three.module.js", "three/addons/": "${site}/three/examples/jsm/" } }
</script>`;

const browser = await chromium.launch({
  executablePath: process.env.LOOK_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
try {
  const page = await browser.newPage();
  const complaints = [];
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.route('**', serve);
  await page.goto(`${site}/`);
  await page.evaluate(prepare, environment);
  for (const [index, job] of jobs.entries()) {
    const url = await page.evaluate(draw, { ...job, url: `${site}/glb/${index}` });
    if (complaints.length > 0) throw new Error(`${job.name}: ${complaints.join('\n')}`);
    await writeFile(job.png, Buffer.from(url.split(',')[1], 'base64'));
    console.log(`three.js: ${job.name}`);
  }
} finally {
  await browser.close();
}

// Serves the page, three.js, the environment and the GLBs of the jobs. Refuses all other requests.
async function serve(route) {
  const url = new URL(route.request().url());
  if (url.origin !== site) return route.abort();
  const [, kind, ...rest] = url.pathname.split('/');
  if (kind === '') return route.fulfill({ contentType: 'text/html', body: page_html });
  const path = {
    three: () => join(three, ...rest),
    environment: () => environment.file,
    glb: () => jobs[Number(rest[0])].glb,
  }[kind];
  if (!path) return route.fulfill({ status: 404 });
  const contentType = extname(path()) === '.js' ? 'text/javascript' : 'application/octet-stream';
  return route.fulfill({ contentType, body: await readFile(path()) });
}

// In the page: a renderer, the filtered environment, and the pass that converts light to colours.
async function prepare({ width, height }) {
  const THREE = await import('three');
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const renderer = new THREE.WebGLRenderer({ antialias: false, alpha: false });
  const numbers = new Float32Array(await (await fetch('/environment')).arrayBuffer());
  const map = new THREE.DataTexture(numbers, width, height, THREE.RGBAFormat, THREE.FloatType);
  map.mapping = THREE.EquirectangularReflectionMapping;
  map.colorSpace = THREE.LinearSRGBColorSpace;
  map.minFilter = map.magFilter = THREE.LinearFilter;
  map.wrapS = THREE.RepeatWrapping;
  map.flipY = true;
  map.needsUpdate = true;
  const environment = new THREE.PMREMGenerator(renderer).fromEquirectangular(map).texture;
  // Averages the light of a pixel before tone mapping. The code of three.js does the rest.
  const resolve = new THREE.Mesh(
    new THREE.PlaneGeometry(2, 2),
    new THREE.ShaderMaterial({
      uniforms: { light: { value: null }, samples: { value: 1 } },
      vertexShader: 'void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }',
      fragmentShader: `
        uniform sampler2D light;
        uniform int samples;
        void main() {
          ivec2 corner = ivec2(gl_FragCoord.xy) * samples;
          vec3 sum = vec3(0.0);
          for (int y = 0; y < samples; y++)
            for (int x = 0; x < samples; x++) sum += texelFetch(light, corner + ivec2(x, y), 0).rgb;
          gl_FragColor = vec4(sum / float(samples * samples), 1.0);
          #include <tonemapping_fragment>
          #include <colorspace_fragment>
        }`,
      depthTest: false,
      depthWrite: false,
    }),
  );
  window.look = { THREE, GLTFLoader, renderer, environment, resolve };
}

// In the page: draws a job. Returns a PNG as a data URL.
async function draw(job) {
  const { THREE, GLTFLoader, renderer, environment, resolve } = window.look;
  const gltf = await new GLTFLoader().loadAsync(job.url);
  const scene = new THREE.Scene();
  scene.add(gltf.scene);
  scene.background = new THREE.Color().setRGB(...job.background, THREE.LinearSRGBColorSpace);
  if (job.environment) scene.environment = environment;
  const { eye, target, fov_y_rad, near, far } = job.camera;
  const camera = new THREE.PerspectiveCamera(THREE.MathUtils.radToDeg(fov_y_rad), 1, near, far);
  camera.position.set(...eye);
  camera.lookAt(...target);
  const many = job.size * job.supersampling;
  // A render target has no tone mapping and no sRGB curve, so light is blended, as glTF requires.
  const light = new THREE.WebGLRenderTarget(many, many, { type: THREE.HalfFloatType });
  renderer.setPixelRatio(1);
  renderer.setSize(job.size, job.size);
  renderer.toneMapping = { none: THREE.LinearToneMapping, neutral: THREE.NeutralToneMapping }[job.tone];
  renderer.toneMappingExposure = job.exposure;
  renderer.setRenderTarget(light);
  renderer.render(scene, camera);
  renderer.setRenderTarget(null);
  resolve.material.uniforms.light.value = light.texture;
  resolve.material.uniforms.samples.value = job.supersampling;
  renderer.render(resolve, camera);
  const url = renderer.domElement.toDataURL('image/png');
  light.dispose();
  return url;
}
