/** The gallery's records in, its resources in the evaluator's words out. */
import type { Resource } from '../evaluator/resource.js';
import type { Table } from '../evaluator/tables.js';

export function galleryResources({ exhibit, room }: { exhibit: Table; room: Table }): Resource[] {
  const NOBODY = '99999999-1111-4222-8333-444444444444';
  const rooms = [...room.entries.slice(0, 4).map((entry) => String(entry.get('id'))), NOBODY];

  return [
    {
      name: 'exhibits',
      table: exhibit,
      softDelete: true,
      joins: {
        room: { alias: 'place' },
        'room.labels': { alias: 'signs' },
        loans: {},
        'loans.room': { alias: 'lender' },
        'loans.remarks': {},
        labels: {},
        original: { allow: ['text', 'whole', 'day'], persist: ['grade'] },
        copies: { exclude: ['text'] },
      },
      scopes: [{ url: '/exhibits' }],
    },
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
      joins: { room: { eager: true, exclude: ['text'] }, loans: { select: false }, original: { required: true } },
      scopes: rooms.map((id) => ({ url: `/rooms/${id}/exhibits`, admits: (entry) => entry.get('roomId') === id })),
    },
    {
      name: 'visits',
      table: exhibit,
      sort: [
        { path: 'grade', descending: false },
        { path: 'money', descending: true },
      ],
      joins: { room: { eager: true, required: true }, loans: { required: true }, labels: { eager: true } },
      scopes: [47, 30].map((limit) => ({
        url: '/visits',
        headers: { 'x-limit': String(limit) },
        admits: (entry) => (entry.get('id') as number) <= limit,
        widens: (entry) => [1, 2, 3].includes(entry.get('id') as number) || entry.get('whole') === null,
      })),
    },
  ];
}
