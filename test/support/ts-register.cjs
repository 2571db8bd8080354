/* eslint-disable @typescript-eslint/no-require-imports */
/**
 * Lets a plain node process run our TypeScript as it is: child processes and workers that tests start from sources.
 * The same compiler and options as jest's, with types taken on trust.
 */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const OPTIONS = {
  swcrc: false,
  // import() is for modules that cannot be required.
  module: { type: 'commonjs', ignoreDynamic: true },
  sourceMaps: 'inline',
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

Module._extensions['.ts'] = (module, filename) => {
  // Here, not above: most processes that inherit this file from NODE_OPTIONS never load a source.
  const { transformSync } = require('@swc/core');
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
  module._compile(code, filename);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const lib = /^@app\/([a-z]+)$/.exec(request);
  return resolve.call(this, lib ? join(root, 'libs', lib[1], 'src', 'index.ts') : request, ...rest);
};
