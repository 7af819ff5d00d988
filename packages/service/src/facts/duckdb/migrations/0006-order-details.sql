-- Which of its details an order was loaded with: bit 1 items, bit 2 payments. Of orders loaded before there are none.
alter table orders add column details tinyint default 0;
alter table past_orders add column details tinyint default 0;
