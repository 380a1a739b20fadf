--liquibase formatted sql

--changeset shop:1
create table invoices (number bigint primary key);

--changeset shop:2
call pause_the_first();
insert into invoices values (1);
