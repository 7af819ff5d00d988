-- The keys of card fingerprints. One that is lost makes new fingerprints of the same cards.
create table fingerprint_key (
  management_group text not null primary key references management_group (name),
  key text not null, -- base64, 32 bytes
  created_at integer not null
);
