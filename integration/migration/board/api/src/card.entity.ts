import { Column, Entity, PrimaryColumn } from "typeorm";

@Entity("cards")
export class Card {
	@PrimaryColumn("varchar")
	key!: string;

	@Column("varchar")
	title!: string;

	@Column("integer", { default: 1 })
	weight!: number;

	@Column("boolean", { default: false })
	done!: boolean;

	@Column("varchar", { nullable: true })
	assignee!: string | null;
}
