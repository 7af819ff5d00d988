-- The column and the value have the words that the rest of the service uses for them.
update orders set standing = 'excluded' where standing = 'gone';
update past_orders set standing = 'excluded' where standing = 'gone';
alter table orders rename column standing to status;
alter table past_orders rename column standing to status;
