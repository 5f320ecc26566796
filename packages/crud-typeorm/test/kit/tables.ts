/** The conformance kit's tables as entities, in a database. */
import type { AdapterUnderTest, TableName } from '@nestwright/testing';
import { Check, DataSource, type DataSourceOptions, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Column, CreateDateColumn, DeleteDateColumn, UpdateDateColumn, VersionColumn } from 'typeorm';
import { JoinColumn, JoinTable, ManyToMany, ManyToOne, OneToMany, OneToOne } from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';

function entitiesFor(kind: TestDatabase['kind']) {
  const moment = { type: kind === 'postgres' ? 'timestamptz' : 'datetime', precision: 3 } as const;
  const text = { to: (value: unknown) => value, from: (value: unknown) => (value === null ? null : String(value)) };
  const cascades = { onDelete: 'CASCADE' } as const;

  @Entity('teams')
  class Team {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 40, unique: true }) name!: string;
    @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true }) budget!: string | null;
    @CreateDateColumn(moment) createdAt!: Date;
    @DeleteDateColumn(moment) deletedAt!: Date | null;
    @OneToMany(() => Member, (member) => member.team) members!: unknown[];
  }

  @Entity('passports')
  class Passport {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 20, unique: true }) number!: string;
    @OneToOne(() => Member, (member) => member.passport) member!: unknown;
  }

  class Name {
    @Column({ type: 'varchar', length: 40, nullable: true }) first!: string | null;
    @Column({ type: 'varchar', length: 40, nullable: true }) last!: string | null;
  }

  @Entity('badges')
  class Badge {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 20, unique: true }) label!: string;
    @ManyToMany(() => Member, (member) => member.badges, cascades) members!: unknown[];
  }

  @Entity('notes')
  class Note {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 80 }) text!: string;
    @Column({ type: 'int', nullable: true }) memberId!: number | null;
    @ManyToOne(() => Member, (member) => member.notes, cascades) member!: unknown;
  }

  @Entity('members')
  @Check('CHK_members_age', 'age BETWEEN 0 AND 150')
  class Member {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', length: 60, unique: true }) email!: string;
    @Column(() => Name) name!: Name;
    @Column({ type: 'int', nullable: true }) age!: number | null;
    @Column({ type: 'double precision', nullable: true }) score!: number | null;
    @Column({ type: 'bigint', nullable: true, transformer: text }) points!: string | null;
    @Column({ type: 'boolean', default: true }) isActive!: boolean;
    @Column({ type: 'simple-enum', enum: ['admin', 'guest', 'member'], default: 'member' }) role!: string;
    @Column({ type: kind === 'sqlite' ? 'simple-json' : 'json', nullable: true }) settings!: unknown;
    @Column({ type: 'date', nullable: true }) bornOn!: string | null;
    @Column({ ...moment, nullable: true }) joinedAt!: Date | null;
    @Column({ type: 'varchar', length: 40, default: 'none' }) secret!: string;
    @VersionColumn() version!: number;
    @UpdateDateColumn(moment) updatedAt!: Date;
    @Column({ type: 'int' }) teamId!: number;
    @Column({ type: 'int', nullable: true }) passportId!: number | null;
    @ManyToOne(() => Team, (team) => team.members, { nullable: false }) team!: unknown;
    @OneToOne(() => Passport, (passport) => passport.member, { cascade: ['insert', 'update'] })
    @JoinColumn()
    passport!: unknown;
    @ManyToMany(() => Badge, (badge) => badge.members)
    @JoinTable({ name: 'member_badges', joinColumn: { name: 'memberId' }, inverseJoinColumn: { name: 'badgeId' } })
    badges!: unknown[];
    @OneToMany(() => Note, (note) => note.member, { cascade: ['insert', 'update'] }) notes!: unknown[];
  }

  @Entity('seats')
  class Seat {
    @PrimaryColumn({ type: 'int' }) teamId!: number;
    @PrimaryColumn({ type: 'int' }) number!: number;
    @Column({ type: 'varchar', length: 20, nullable: true }) label!: string | null;
    @ManyToOne(() => Team) team!: unknown;
  }

  @Entity('devices')
  class Device {
    @PrimaryGeneratedColumn('uuid') id!: string;
    @Column({ type: 'varchar', length: 20, unique: true }) serial!: string;
  }
  const people = { teams: Team, members: Member, passports: Passport };
  return { ...people, badges: Badge, notes: Note, seats: Seat, devices: Device };
}

/** TypeORM on a database. */
export function onTypeOrm({ kind, connection }: TestDatabase): AdapterUnderTest {
  return {
    name: `TypeORM on ${kind}`,
    roundsWideIntegers: kind === 'sqlite',
    async open() {
      const entities = entitiesFor(kind);
      const options = { ...connection, entities: Object.values(entities), synchronize: true } as DataSourceOptions;
      const source = await new DataSource(options).initialize();
      // TypeORM leaves out the check constraints on MySQL and MariaDB.
      if (kind === 'mysql')
        await source.query('ALTER TABLE members ADD CONSTRAINT CHK_members_age CHECK (age BETWEEN 0 AND 150)');
      const resources = Object.entries(entities).map(([name, entity]) => [
        name,
        {
          model: entity,
          service: class extends TypeOrmCrudService<object> {
            constructor() {
              super(source.getRepository<object>(entity));
            }
          },
        },
      ]);
      const children = ['member_badges', 'notes', 'seats', 'devices', 'members', 'badges', 'passports', 'teams'];
      return {
        resources: Object.fromEntries(resources) as Record<TableName, never>,
        clear: async () => {
          for (const table of children) await source.query(`DELETE FROM ${source.driver.escape(table)}`);
        },
        close: () => source.destroy(),
      };
    },
  };
}
