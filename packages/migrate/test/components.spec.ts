/** What becomes of components of Vue and Svelte: their scripts are moved, and nothing else. */
import { describe, expect, test } from '@jest/globals';
import { move } from './moved.js';

const WEB = '{ "dependencies": { "@nestjsx/crud-request": "4.6.2", "vue": "3" } }';

const moved = (path: string, ...lines: string[]) => {
  const { texts, migration } = move({ 'package.json': WEB, [path]: lines.join('\n') });
  return { lines: texts[path]!.split('\n'), migration };
};

test.each(['src/List.vue', 'src/List.svelte'])('%s', (path) => {
  const rest = [
    '<template>',
    "  <p title=\"import '@nestjsx/crud'\">{{ '<b>' }} ä </p>",
    '</template>',
    '',
    '<!-- <script>import {</script> -->',
    '<style>p { color: red }</style>',
  ];
  const script = (name: string) => [
    '<script setup lang="ts" generic="T extends Map<string, number>">',
    `import { CondOperator, RequestQueryBuilder } from "${name}"`,
    '',
    "const query = RequestQueryBuilder.create<T>().setFilter({ field: 'name', operator: CondOperator.EQUALS })  ;",
    '</script>',
  ];

  expect(moved(path, ...rest, ...script('@nestjsx/crud-request'), ...rest).lines).toEqual([
    ...rest,
    ...script('@nestwright/crud-request'),
    ...rest,
  ]);
});

test('without scripts, or without ours, stays', () => {
  const { lines, migration } = moved('src/a.vue', '<template><p /></template>', '<script>export default {</script>');
  expect(lines).toEqual(['<template><p /></template>', '<script>export default {</script>']);
  expect([...migration.changes.keys()]).toEqual(['package.json']);
});

test('both scripts of one', () => {
  const util = ['<script setup>', "import { isNil } from '@nestjsx/util'", '</script>'];
  expect(moved('src/a.vue', "<script>import '@nestjsx/crud-request'</script>", ...util).lines).toEqual([
    "<script>import '@nestwright/crud-request'</script>",
    '<script setup>',
    '',
    'const isNil = (value) => value === undefined || value === null;',
    '</script>',
  ]);
});

describe('a person is told', () => {
  test('in the line, where a mark stands', () => {
    const script = ['<script>', "import * as util from '@nestjsx/util';", '</script>'];
    const { lines, migration } = moved('src/a.vue', ...script, '<template />');
    expect(lines[1]).toMatch(/^\/\/ nestwright: this package has no replacement/);
    expect(migration.marks).toEqual([expect.objectContaining({ path: 'src/a.vue', line: 2 })]);
    expect(move({ 'package.json': WEB, 'src/a.vue': lines.join('\n') }, 2).texts['src/a.vue']).toBe(lines.join('\n'));
  });

  test('by the line, where one cannot be read', () => {
    const script = ['<script>', "import '@nestjsx/crud-request'", 'const {', '</script>'];
    const { migration } = moved('src/a.vue', '<template />', ...script);
    expect(migration.errors).toEqual([expect.stringMatching(/^src\/a\.vue cannot be read: line [45]: /)]);
  });
});
