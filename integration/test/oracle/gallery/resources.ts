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
    ...{ room: { eager: true }, 'room.labels': {}, loans: {}, 'loans.room': {}, 'loans.remarks': {}, labels: {} },
    ...{ original: { required: true }, 'original.copies': {}, copies: {}, 'copies.original': {} },
  },
} satisfies Record<string, Resource['joins']>;

export function galleryResources({ exhibit, room }: { exhibit: Table; room: Table }): Resource[] {
  const NOBODY = '99999999-1111-4222-8333-444444444444';
  const loan = relationOf(exhibit, 'loans').target();
  const shown = (table: Table, found: (entry: Entry) => boolean) =>
    table.entries.filter((entry) => !isDeleted(table, entry) && found(entry));
  const rooms = [...room.entries.slice(0, 4).map((entry) => String(entry.get('id'))), NOBODY];
  return [
    { name: 'exhibits', table: exhibit, softDelete: true, joins: JOINS.exhibits, scopes: [{ url: '/exhibits' }] },
    {
      name: 'exhibits of a room',
      table: exhibit,
      exclude: ['frame.text', 'roomId'],
      persist: ['flag'],
      filter: (entry) => (entry.get('id') as number) > 4,
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
      sort: [
        { path: 'grade', descending: false },
        { path: 'money', descending: true },
      ],
      joins: JOINS.visits,
      scopes: [47, 30].map((limit) => ({
        url: '/visits',
        headers: { 'x-limit': String(limit) },
        admits: (entry) => (entry.get('id') as number) <= limit,
        widens: (entry) => [1, 2, 3].includes(entry.get('id') as number) || entry.get('whole') === null,
      })),
    },
    {
      name: 'guided visits',
      table: exhibit,
      joins: JOINS.guided,
      scopes: [60, 25].map((limit) => ({
        url: '/guided-visits',
        headers: { 'x-limit': String(limit) },
        admits: (entry) => {
          const [original] = shown(exhibit, (other) => other.get('id') === entry.get('originalId'));
          return original === undefined || original.get('flag') === true;
        },
        widens: (entry) =>
          shown(loan, (other) => other.get('exhibitId') === entry.get('id')).some((other) =>
            [5, 9, 30].includes(other.get('id') as number),
          ),
        reach: {
          'Exhibit.room': (other) => other.get('whole') !== null && (other.get('whole') as number) < limit,
          'Room.labels': (other) => other.get('code') !== 'old',
          'Exhibit.loans': (other) => (other.get('id') as number) <= limit,
          'Loan.room': (other) => other.get('flag') === true,
          'Loan.remarks': (other) => other.get('stars') !== null && (other.get('stars') as number) >= 3,
          'Exhibit.labels': (other) =>
            ['new', 'lent'].includes(other.get('code') as string) || other.get('title') === null,
          'Exhibit.original': (other) => limit > 40 || other.get('flag') === false,
          'Exhibit.copies': (other) =>
            shown(room, (one) => one.get('id') === other.get('roomId')).some((one) => one.get('flag') !== true),
        },
      })),
    },
  ];
}
