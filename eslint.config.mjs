import tseslint from 'typescript-eslint';

/** Sockets, drivers and archive readers have one home each; everywhere else they are out of reach (SEC-03). */
const GUARDED = {
  'libs/platform/src/egress/**': ['undici', 'net', 'dns', 'zlib'],
  'libs/platform/src/database/**': ['pg', 'typeorm', 'net'],
  'libs/platform/src/jobs/**': ['pg-boss'],
  'libs/platform/src/sandbox/**': ['child_process'],
  'libs/knowledge/src/parsers/archive-guard*': ['yauzl', 'zlib'],
  'libs/tools/src/sql/duckdb/**': ['@duckdb/node-api'],
  'libs/tools/src/sql/databases/postgres/**': ['pg', 'libpg-query'],
  'libs/tools/src/sql/databases/mysql/**': ['mysql2'],
  'libs/tools/src/sql/databases/sql-server/**': ['tedious'],
  'libs/tools/src/sql/databases/sqlite/**': ['sql.js'],
  'libs/knowledge/src/tables/**': ['@duckdb/node-api'],
};
const GUARDED_MODULES = [
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'dgram',
  'dns',
  'dns/promises',
  'zlib',
  'child_process',
  'undici',
  'ws',
  'axios',
  'node-fetch',
  'mysql2',
  'mysql2/promise',
  'tedious',
  'sql.js',
  'libpg-query',
  'node-sql-parser',
  'pg',
  'pg-cursor',
  'pg-boss',
  'yauzl',
  '@duckdb/node-api',
];
const restricted = GUARDED_MODULES.flatMap((name) => [name, `node:${name}`]);

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.cache/**', 'coverage/**', 'jest.config.js'] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: ['error', 'smart'],
      'no-console': 'error',
    },
    files: ['**/*.ts'],
  },
  {
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.contract.ts', ...Object.keys(GUARDED)],
    rules: {
      'no-restricted-imports': ['error', { paths: restricted.map((name) => ({ name, message: 'See SEC-03.' })) }],
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
          name,
          message: 'Go through platform/egress (SEC-03).',
        })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Configuration is read once, by platform/config.' },
        { object: 'globalThis', property: 'fetch', message: 'Go through platform/egress (SEC-03).' },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'scripts/**/*.ts', '**/*.spec.ts', '**/*.contract.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      'no-console': 'off',
    },
  },
  { files: ['**/*.mjs', '**/*.js'], ...tseslint.configs.disableTypeChecked },
);
