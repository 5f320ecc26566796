/** The gallery's resources as the evaluator describes them. */
import type { Resource } from '../evaluator/resource.js';
import { type Entry, isDeleted, relationOf, type Table } from '../evaluator/tables.js';

/** What may be joined, said alike to the evaluator and to `@Crud()`. */
export const JOINS = {
  exhibits: {
    room: { alias: 'place' },
    'room.labels': { alias: 'signs' },
    loans: {},
    'loans.room': { alias: 'lender' },
    'loans.remarks': {},
    labels: {},
    original: { allow: ['text', 'whole', 'day'], persist: ['grade'] },
    copies: { exclude: ['text'] },
  },
  ofRoom: { room: { eager: true, exclude: ['text'] }, loans: { select: false }, original: { required: true } },
  visits: { room: { eager: true, required: true }, loans: { required: true }, labels: { eager: true } },
  guided: {
    room: { eager: true },
    'room.labels': {},
    loans: {},
    'loans.room': {},
    'loans.remarks': {},
    labels: {},
    original: { required: true },
    'original.copies': {},
    copies: {},
    'copies.original': {},
  },
} satisfies Record<string, Resource['joins']>;

const NOBODY = '99999999-1111-4222-8333-444444444444';
const idOf = (entry: Entry) => entry.get('id') as number;

/** Whether a column has a number that passes. */
const has = (entry: Entry, path: string, test: (value: number) => boolean) =>
  entry.get(path) !== null && test(entry.get(path) as number);
const shown = (table: Table, found: (entry: Entry) => boolean) =>
  table.entries.filter((entry) => !isDeleted(table, entry) && found(entry));

export function galleryResources({ exhibit, room }: { exhibit: Table; room: Table }): Resource[] {
  const loan = relationOf(exhibit, 'loans').target();
  const rooms = [...room.entries.slice(0, 4).map((entry) => String(entry.get('id'))), NOBODY];
  const byLimit = (limit: number) => ({ 'x-limit': String(limit) });
  return [
    { name: 'exhibits', table: exhibit, softDelete: true, joins: JOINS.exhibits, scopes: [{ url: '/exhibits' }] },
    {
      name: 'exhibits of a room',
      table: exhibit,
      exclude: ['frame.text', 'roomId'],
      persist: ['flag'],
      filter: (entry) => idOf(entry) > 4,
      limit: 5,
      maxLimit: 8,
      alwaysPaginate: true,
      sort: [{ path: 'text', descending: true }],
      joins: JOINS.ofRoom,
      scopes: rooms.map((id) => ({ url: `/rooms/${id}/exhibits`, admits: (entry) => entry.get('roomId') === id })),
    },
    {
      name: 'visits',
      table: exhibit,
      sort: ['grade', 'money'].map((path) => ({ path, descending: path === 'money' })),
      joins: JOINS.visits,
      scopes: [47, 30].map((limit) => ({
        url: '/visits',
        headers: byLimit(limit),
        admits: (entry) => idOf(entry) <= limit,
        widens: (entry) => [1, 2, 3].includes(idOf(entry)) || entry.get('whole') === null,
      })),
    },
    {
      name: 'guided visits',
      table: exhibit,
      joins: JOINS.guided,
      scopes: [60, 25].map((limit) => ({
        url: '/guided-visits',
        headers: byLimit(limit),
        admits: (entry) => {
          const [original] = shown(exhibit, (other) => other.get('id') === entry.get('originalId'));
          return original === undefined || original.get('flag') === true;
        },
        widens: (entry) =>
          shown(loan, (one) => one.get('exhibitId') === entry.get('id')).some((one) => [5, 9, 30].includes(idOf(one))),
        reach: {
          'Exhibit.room': (other) => has(other, 'whole', (whole) => whole < limit),
          'Room.labels': (other) => other.get('code') !== 'old',
          'Exhibit.loans': (other) => idOf(other) <= limit,
          'Loan.room': (other) => other.get('flag') === true,
          'Loan.remarks': (other) => has(other, 'stars', (stars) => stars >= 3),
          'Exhibit.labels': (other) => /^(new|lent)$/.test(String(other.get('code'))) || other.get('title') === null,
          'Exhibit.original': (other) => limit > 40 || other.get('flag') === false,
          'Exhibit.copies': (other) =>
            shown(room, (one) => one.get('id') === other.get('roomId')).some((one) => one.get('flag') !== true),
        },
      })),
    },
  ];
}
