/** Entities declared by `EntitySchema`, with a class and without, as `model.type`; the routes serve them as they serve decorated classes. */
import { expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { definitionOf } from '@nestwright/crud/adapter';
import { EntitySchema } from 'typeorm';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { looseResource, type Resource } from './support/resources.js';
import { expectAnswers, serving } from './support/serving.js';

class Ship {
  id!: number;
  name!: string;
  harbor?: Harbor;
}

type Harbor = { id: number; city: string; tax?: string | null };

const KEY = { type: Number, primary: true } as const;
const ShipSchema = new EntitySchema<Ship>({
  name: 'Ship',
  target: Ship,
  columns: { id: KEY, name: { type: String } },
  relations: { harbor: { type: 'many-to-one', target: 'Harbor', nullable: true } },
});

const HarborSchema = new EntitySchema<Harbor>({
  name: 'Harbor',
  columns: { id: KEY, city: { type: String }, tax: { type: String, nullable: true, select: false } },
});

const ships = looseResource(ShipSchema as never, 'ships', { query: { join: { harbor: {} } } });
const harbors = looseResource(HarborSchema as never, 'harbors');
const kiel = looseResource(HarborSchema as never, 'kiel', { auth: { filter: () => ({ city: 'Kiel' }) } });

describeDatabases(
  'resources of schemas',
  (db) => {
    const app = serving(db, [ShipSchema, HarborSchema], [ships, harbors, kiel]);

    test('answer for a schema without a class, and for one with a class', async () => {
      const harbor = (id: number, city: string) => ({ id, city });
      const ship = { id: 1, name: 'Gorch Fock' };
      const unknown = expect.objectContaining({ message: 'Harbor not found' });
      await expectAnswers(app, [
        ['post', '/harbors', { ...harbor(1, 'Kiel'), tax: 'x' }, 201, harbor(1, 'Kiel')],
        ['post', '/harbors', harbor(2, 'Bremen'), 201, harbor(2, 'Bremen')],
        ['get', '/harbors?filter=city||$starts||B', undefined, 200, [harbor(2, 'Bremen')]],
        ['get', '/harbors?filter=tax||$eq||x', undefined, 400, expect.anything()],
        ['get', '/harbors/9', undefined, 404, unknown],
        ['patch', '/harbors/2', { city: 'Emden' }, 200, harbor(2, 'Emden')],
        ['get', '/kiel', undefined, 200, [harbor(1, 'Kiel')]],
        ['post', '/ships', { ...ship, harbor: { id: 1 } }, 201, ship],
        ['get', '/ships?join=harbor', undefined, 200, [{ ...ship, harbor: { id: 1, city: 'Kiel' } }]],
      ]);
    });

    test('their descriptions, and classes: resources of a schema share one of its name', () => {
      const { paths, components } = SwaggerModule.createDocument(app.app, new DocumentBuilder().build());
      expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/ships', '/harbors', '/harbors/{id}']));
      const shown = (name: string) => Object.keys((components!.schemas![name] as { properties: object }).properties);
      expect(`${shown('ShipResponseDto')} ${shown('HarborResponseDto')}`).toBe('id,name,harbor id,city');
      const modelOf = ({ controller }: Resource) => definitionOf(controller)?.model;
      expect([modelOf(harbors)?.name, modelOf(ships), modelOf(kiel)]).toEqual(['Harbor', Ship, modelOf(harbors)]);
    });
  },
  ['sqlite', 'postgres'],
);
