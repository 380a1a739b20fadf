--liquibase formatted sql

--changeset shop:1
create table invoices (id int primary key);
--changeset shop:2
insert into invoices values (1);
