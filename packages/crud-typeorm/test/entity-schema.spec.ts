/** Entities declared by `EntitySchema`, with a class and without, as `model.type`; the routes serve them as they serve decorated classes. */
import { expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { definitionOf } from '@nestwright/crud/adapter';
import request from 'supertest';
import { EntitySchema } from 'typeorm';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { looseResource, type Resource } from './support/resources.js';
import { serving } from './support/serving.js';

class Ship {
  id!: number;
  name!: string;
  harbor?: Harbor;
}

interface Harbor {
  id: number;
  city: string;
  tax?: string | null;
}

const ShipSchema = new EntitySchema<Ship>({
  name: 'Ship',
  target: Ship,
  columns: { id: { type: Number, primary: true }, name: { type: String } },
  relations: { harbor: { type: 'many-to-one', target: 'Harbor', nullable: true } },
});

const HarborSchema = new EntitySchema<Harbor>({
  name: 'Harbor',
  columns: {
    id: { type: Number, primary: true },
    city: { type: String },
    tax: { type: String, nullable: true, select: false },
  },
});

const ships = looseResource(ShipSchema as never, 'ships', { query: { join: { harbor: {} } } });
const harbors = looseResource(HarborSchema as never, 'harbors');
const kiel = looseResource(HarborSchema as never, 'kiel', { auth: { filter: () => ({ city: 'Kiel' }) } });

describeDatabases(
  'resources of schemas',
  (db) => {
    const app = serving(db, [ShipSchema, HarborSchema], [ships, harbors, kiel]);

    test('one without a class', async () => {
      const http = request(app.url);
      await http.post('/harbors').send({ id: 1, city: 'Kiel', tax: 'x' }).expect(201, { id: 1, city: 'Kiel' });
      await http
        .post('/harbors/bulk')
        .send({ bulk: [{ id: 2, city: 'Bremen' }] })
        .expect(201, [{ id: 2, city: 'Bremen' }]);
      await http.get('/harbors?filter=city||$starts||B').expect(200, [{ id: 2, city: 'Bremen' }]);
      await http.get('/harbors?filter=tax||$eq||x').expect(400);
      await http.get('/harbors/1').expect(200, { id: 1, city: 'Kiel' });
      await http.get('/harbors/9').expect(404, /Harbor not found/);
      await http.patch('/harbors/2').send({ city: 'Emden' }).expect(200, { id: 2, city: 'Emden' });
      await http.put('/harbors/2').send({ city: 'Husum' }).expect(200, { id: 2, city: 'Husum' });
      await http.get('/kiel').expect(200, [{ id: 1, city: 'Kiel' }]);
      await http.patch('/kiel/1').send({ city: 'Husum' }).expect(400);
    });

    test('one with a class', async () => {
      const http = request(app.url);
      const ship = { id: 1, name: 'Gorch Fock' };
      await http
        .post('/ships')
        .send({ ...ship, harbor: { id: 1 } })
        .expect(201, ship);
      await http.get('/ships?join=harbor').expect(200, [{ ...ship, harbor: { id: 1, city: 'Kiel' } }]);
      await http.get('/ships?filter=harbor.city||$eq||Kiel').expect(200, [ship]);
      await http.delete('/ships/1').expect(200);
      await http.get('/ships').expect(200, []);
    });

    test('their descriptions', () => {
      const { paths, components } = SwaggerModule.createDocument(app.app, new DocumentBuilder().build());
      expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/ships', '/harbors', '/harbors/{id}']));
      const shown = (name: string) => Object.keys((components!.schemas![name] as { properties: object }).properties);
      expect(shown('ShipResponseDto')).toEqual(expect.arrayContaining(['id', 'name', 'harbor']));
      expect(shown('HarborResponseDto')).toEqual(['id', 'city']);
    });

    test('resources of a schema share a class of its name', () => {
      const modelOf = ({ controller }: Resource) => definitionOf(controller)?.model;
      expect([modelOf(harbors)?.name, modelOf(ships)]).toEqual(['Harbor', Ship]);
      expect(modelOf(kiel)).toBe(modelOf(harbors));
    });
  },
  ['sqlite', 'postgres'],
);
