-- Whether the refunds of a restaurant count on the date of the refund, or on that of its order.
alter table restaurant add column refunds_on text not null default 'refund' check (refunds_on in ('refund', 'order'));
