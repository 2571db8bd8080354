/** Nest 12 and a few others are ES modules only; jest on Node 20 needs them turned into CommonJS. */
const ESM_ONLY =
  '@nestjs|file-type|load-esm|strtok3|token-types|@tokenizer|uint8array-extras|@borewit|es-toolkit|@orama|unpdf|' +
  'htmlparser2|domhandler|domutils|dom-serializer|domelementtype|entities|jschardet';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test', '<rootDir>/scripts'],
  testMatch: ['**/*.spec.ts'],
  moduleNameMapper: {
    '^@app/([a-z]+)$': '<rootDir>/libs/$1/src/index.ts',
    // Its CommonJS build loads pdf.js with import(), which jest cannot do.
    '^unpdf$': '<rootDir>/node_modules/unpdf/dist/index.mjs',
    '^unpdf/pdfjs$': '<rootDir>/node_modules/unpdf/dist/pdfjs.mjs',
  },
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  cacheDirectory: '<rootDir>/.cache/jest',
  testTimeout: 60_000,
  maxWorkers: 2,
};
