/** Lint for the whole workspace: recommended rules, promises by type, the boundaries between packages and rooms, house rules. */
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { boundaries } from './scripts/lint/boundaries.js';
import { houseRules } from './scripts/lint/house-rules.js';

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/coverage/**',
      'docs/.vitepress/cache/**',
      'integration/dataui/**',
      'integration/generators/**',
      'integration/test/client/**',
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    plugins: { house: houseRules },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'house/telling-file-name': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        Headers: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
  {
    files: ['integration/admin/src/*.js', 'integration/{admin,board,site}/*.test.js'],
    languageOptions: {
      globals: { window: 'readonly', document: 'readonly', localStorage: 'readonly', getComputedStyle: 'readonly' },
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    settings: {
      ...importX.flatConfigs.typescript.settings,
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })],
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // Superseded by the house rule, which lets an `any` with its reason pass.
      '@typescript-eslint/no-explicit-any': 'off',
      'house/any-with-reason': 'error',
      eqeqeq: 'error',
    },
  },
  // The benchmarks are no part of the workspace: their own projects know what they import, once it is installed. The board runs in browsers.
  ...['benchmarks', 'benchmarks/nest11', 'integration/board'].map((folder) => ({
    files: [`${folder}/**/*.ts`, `${folder}/**/*.tsx`],
    languageOptions: { parserOptions: { project: `./${folder}/tsconfig.json` } },
  })),
  // Applications with packages of their own, whose types are known once these are installed.
  {
    files: ['integration/migration/*/**/*.ts'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ['integration/migration/*/**/*.js'],
    languageOptions: { globals: { require: 'readonly', exports: 'writable' } },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['packages/*/src/**/*.ts', 'integration/*/src/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }], 'no-console': 'error' },
  },
  // Emitted metadata needs the classes that a constructor or an entity names, so these imports are values whatever they look like.
  {
    files: [
      'benchmarks/**/*.ts',
      'integration/*/src/**/*.ts',
      'integration/migration/**/*.ts',
      'packages/*/test/**/*.ts',
      'integration/test/**/*.ts',
    ],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      // A fifth of the time of lint; the compiler refuses a promise as a condition, too.
      '@typescript-eslint/no-misused-promises': 'off',
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: { require: 'readonly', module: 'writable', process: 'readonly' } },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  ...boundaries(importX),
  prettier,
  // A body of one line has no braces. Prettier's configuration turns the rule off, since it may contradict Prettier; this form does not.
  { rules: { curly: ['error', 'multi-or-nest', 'consistent'] } },
);
