CREATE TABLE checks(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, business_date INTEGER NOT NULL, opened_at BIGINT NOT NULL, order_number BIGINT, check_number BIGINT, paid_at BIGINT, modified_at BIGINT, status VARCHAR NOT NULL, voided BOOLEAN NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, server_guid VARCHAR, server_name VARCHAR, total_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, tax_cents BIGINT NOT NULL, tip_cents BIGINT NOT NULL, gratuity_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL);

CREATE TABLE "names"(restaurant_id INTEGER NOT NULL, kind VARCHAR NOT NULL, guid VARCHAR NOT NULL, "name" VARCHAR, last_name VARCHAR, wage_frequency VARCHAR, excluded BOOLEAN);

CREATE TABLE orders(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, business_date INTEGER NOT NULL, business_hour TINYINT NOT NULL, opened_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, standing VARCHAR NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, "source" VARCHAR, guests INTEGER NOT NULL, open BOOLEAN NOT NULL, has_void BOOLEAN NOT NULL, has_discount BOOLEAN NOT NULL, void_cents BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL);

CREATE TABLE schema_version("version" INTEGER NOT NULL);

CREATE TABLE shifts(restaurant_id INTEGER NOT NULL, entry_guid UUID NOT NULL, business_date INTEGER NOT NULL, in_at BIGINT NOT NULL, out_at BIGINT, modified_at BIGINT NOT NULL, deleted BOOLEAN NOT NULL, job_guid VARCHAR, hourly BOOLEAN NOT NULL, micro_hours BIGINT NOT NULL, pay_cents BIGINT NOT NULL);
