CREATE VIEW all_labour_sheets AS (SELECT * FROM labour_sheets) UNION ALL BY NAME (SELECT * FROM new_labour_sheets);

CREATE VIEW all_loaded_days AS (SELECT * FROM loaded_days) UNION ALL BY NAME (SELECT * FROM new_loaded_days);

CREATE VIEW all_menu_sheets AS (SELECT * FROM menu_sheets) UNION ALL BY NAME (SELECT * FROM new_menu_sheets);

CREATE VIEW all_sheets AS (SELECT * FROM sheets) UNION ALL BY NAME (SELECT * FROM new_sheets);

CREATE TABLE card_payments(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, payment_guid UUID NOT NULL, business_date INTEGER NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, sales_date INTEGER NOT NULL, captured BOOLEAN NOT NULL, opened_local BIGINT NOT NULL, paid_at BIGINT NOT NULL, paid_local BIGINT NOT NULL, card_brand VARCHAR, card_type VARCHAR NOT NULL, total_cents BIGINT NOT NULL, tip_cents BIGINT NOT NULL, gratuity_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, fee_cents BIGINT NOT NULL, withheld_cents BIGINT NOT NULL, fingerprint UUID);

CREATE TABLE checks(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, business_date INTEGER NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, order_number BIGINT, check_number BIGINT, paid_at BIGINT, modified_at BIGINT, status VARCHAR NOT NULL, voided BOOLEAN NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, server_guid VARCHAR, server_name VARCHAR, total_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, tax_cents BIGINT NOT NULL, tip_cents BIGINT NOT NULL, gratuity_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, void_cents BIGINT NOT NULL, sales_gross_cents BIGINT NOT NULL, sales_discount_cents BIGINT NOT NULL, sales_refund_cents BIGINT NOT NULL);

CREATE MACRO entry_counts(deleted, hourly, out_at) AS ((NOT deleted) AND hourly AND (out_at IS NOT NULL));

CREATE MACRO guid_head(guid) AS CAST(('0x' || "left"(CAST(guid AS VARCHAR), 8)) AS UINTEGER);

CREATE TABLE "identity"(id VARCHAR NOT NULL, epoch VARCHAR NOT NULL);

CREATE MACRO job_counts(wage_frequency, excluded) AS (NOT COALESCE(((wage_frequency = 'SALARY') OR excluded), CAST('f' AS BOOLEAN)));

CREATE TABLE labour_sheets(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, job_guid VARCHAR, entries BIGINT NOT NULL, micro_hours BIGINT NOT NULL, pay_cents BIGINT NOT NULL, employee_guid VARCHAR, overtime_micro BIGINT DEFAULT(0), overtime_cents BIGINT DEFAULT(0));

CREATE TABLE large_loads(load_id BIGINT NOT NULL);

CREATE VIEW last_load AS SELECT greatest(load_id, (SELECT COALESCE(max(load_id), 0) FROM large_loads)) AS load_id FROM last_small_load;

CREATE TABLE last_small_load(load_id BIGINT NOT NULL);

CREATE TABLE lines(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, business_date INTEGER NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, modifier BOOLEAN NOT NULL, item_guid VARCHAR, item_name VARCHAR, group_guid VARCHAR, group_name VARCHAR, menu_guid VARCHAR, menu_name VARCHAR, quantity BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, void_cents BIGINT NOT NULL, waste_quantity BIGINT NOT NULL, waste_cents BIGINT NOT NULL);

CREATE TABLE loaded_days(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, orders BIGINT NOT NULL, checks BIGINT NOT NULL, time_entries BIGINT NOT NULL, load_id BIGINT NOT NULL, loaded_at BIGINT, dated_parts BIGINT DEFAULT(0));

CREATE TABLE menu_entries(restaurant_id INTEGER NOT NULL, place INTEGER NOT NULL, parent INTEGER, kind VARCHAR NOT NULL, guid VARCHAR NOT NULL, "name" VARCHAR NOT NULL, is_first BOOLEAN NOT NULL, root_guid VARCHAR, menu_guid VARCHAR);

CREATE TABLE menu_repeats(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, modifier BOOLEAN NOT NULL, item_guid VARCHAR, item_name VARCHAR);

CREATE TABLE menu_sheets(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, modifier BOOLEAN NOT NULL, item_guid VARCHAR, item_name VARCHAR, group_guid VARCHAR, group_name VARCHAR, menu_guid VARCHAR, menu_name VARCHAR, kept BIGINT NOT NULL, quantity BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, void_cents BIGINT NOT NULL, waste_quantity BIGINT NOT NULL, waste_cents BIGINT NOT NULL);

CREATE MACRO money(cents) AS CAST((CAST(CAST(cents AS BIGINT) AS DECIMAL(18,0)) * 0.01) AS DECIMAL(18,2));

CREATE TABLE "names"(restaurant_id INTEGER NOT NULL, kind VARCHAR NOT NULL, guid VARCHAR NOT NULL, "name" VARCHAR, last_name VARCHAR, wage_frequency VARCHAR, excluded BOOLEAN, chosen_name VARCHAR, code VARCHAR);

CREATE TABLE new_labour_sheets(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, job_guid VARCHAR, entries BIGINT NOT NULL, micro_hours BIGINT NOT NULL, pay_cents BIGINT NOT NULL, employee_guid VARCHAR, overtime_micro BIGINT DEFAULT(0), overtime_cents BIGINT DEFAULT(0));

CREATE TABLE new_loaded_days(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, orders BIGINT NOT NULL, checks BIGINT NOT NULL, time_entries BIGINT NOT NULL, load_id BIGINT NOT NULL, loaded_at BIGINT, dated_parts BIGINT DEFAULT(0));

CREATE TABLE new_menu_sheets(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, modifier BOOLEAN NOT NULL, item_guid VARCHAR, item_name VARCHAR, group_guid VARCHAR, group_name VARCHAR, menu_guid VARCHAR, menu_name VARCHAR, kept BIGINT NOT NULL, quantity BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, void_cents BIGINT NOT NULL, waste_quantity BIGINT NOT NULL, waste_cents BIGINT NOT NULL);

CREATE TABLE new_order_dates(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE new_sheets(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, "source" VARCHAR, kept BIGINT NOT NULL, guests BIGINT NOT NULL, orders BIGINT NOT NULL, open_orders BIGINT NOT NULL, void_orders BIGINT NOT NULL, discount_orders BIGINT NOT NULL, void_cents BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL);

CREATE TABLE order_dates_00(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_01(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_02(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_03(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_04(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_05(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_06(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_07(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_08(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_09(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_10(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_11(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_12(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_13(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_14(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_15(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_16(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_17(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_18(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_19(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_20(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_21(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_22(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_23(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_24(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_25(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_26(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_27(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_28(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_29(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_30(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_31(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_32(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_33(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_34(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_35(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_36(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_37(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_38(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_39(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_40(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_41(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_42(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_43(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_44(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_45(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_46(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_47(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_48(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_49(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_50(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_51(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_52(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_53(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_54(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_55(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_56(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_57(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_58(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_59(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_60(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_61(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_62(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE order_dates_63(restaurant_id INTEGER NOT NULL, guid_head UINTEGER NOT NULL, business_date INTEGER NOT NULL);

CREATE TABLE orders(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, business_date INTEGER NOT NULL, business_hour TINYINT NOT NULL, opened_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, load_id BIGINT NOT NULL, status VARCHAR NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, "source" VARCHAR, guests INTEGER NOT NULL, open BOOLEAN NOT NULL, has_void BOOLEAN NOT NULL, has_discount BOOLEAN NOT NULL, void_cents BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, details TINYINT DEFAULT(0), facts_digest UUID, modified_nanos INTEGER DEFAULT(0));

CREATE TABLE past_card_payments(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, payment_guid UUID NOT NULL, business_date INTEGER NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, sales_date INTEGER NOT NULL, captured BOOLEAN NOT NULL, opened_local BIGINT NOT NULL, paid_at BIGINT NOT NULL, paid_local BIGINT NOT NULL, card_brand VARCHAR, card_type VARCHAR NOT NULL, total_cents BIGINT NOT NULL, tip_cents BIGINT NOT NULL, gratuity_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, fee_cents BIGINT NOT NULL, withheld_cents BIGINT NOT NULL, fingerprint UUID, until_load BIGINT NOT NULL, until_at BIGINT NOT NULL);

CREATE TABLE past_checks(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, business_date INTEGER NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, order_number BIGINT, check_number BIGINT, paid_at BIGINT, modified_at BIGINT, status VARCHAR NOT NULL, voided BOOLEAN NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, server_guid VARCHAR, server_name VARCHAR, total_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, tax_cents BIGINT NOT NULL, tip_cents BIGINT NOT NULL, gratuity_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, void_cents BIGINT NOT NULL, sales_gross_cents BIGINT NOT NULL, sales_discount_cents BIGINT NOT NULL, sales_refund_cents BIGINT NOT NULL, until_load BIGINT NOT NULL, until_at BIGINT NOT NULL);

CREATE TABLE past_lines(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, business_date INTEGER NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, modifier BOOLEAN NOT NULL, item_guid VARCHAR, item_name VARCHAR, group_guid VARCHAR, group_name VARCHAR, menu_guid VARCHAR, menu_name VARCHAR, quantity BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, void_cents BIGINT NOT NULL, waste_quantity BIGINT NOT NULL, waste_cents BIGINT NOT NULL, until_load BIGINT NOT NULL, until_at BIGINT NOT NULL);

CREATE TABLE past_orders(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, business_date INTEGER NOT NULL, business_hour TINYINT NOT NULL, opened_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, load_id BIGINT NOT NULL, status VARCHAR NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, "source" VARCHAR, guests INTEGER NOT NULL, open BOOLEAN NOT NULL, has_void BOOLEAN NOT NULL, has_discount BOOLEAN NOT NULL, void_cents BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, until_load BIGINT NOT NULL, until_at BIGINT NOT NULL, details TINYINT DEFAULT(0), facts_digest UUID, modified_nanos INTEGER DEFAULT(0));

CREATE TABLE past_refunds(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, business_date INTEGER NOT NULL, order_date INTEGER NOT NULL, business_hour TINYINT NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, order_number BIGINT, check_number BIGINT, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, "source" VARCHAR, modifier BOOLEAN, item_guid VARCHAR, item_name VARCHAR, group_guid VARCHAR, group_name VARCHAR, menu_guid VARCHAR, menu_name VARCHAR, refund_cents BIGINT NOT NULL, until_load BIGINT NOT NULL, until_at BIGINT NOT NULL);

CREATE TABLE past_settlements(restaurant_id INTEGER, settlement_guid UUID, settled_date INTEGER, modified_at BIGINT, load_id BIGINT, deleted BOOLEAN, status VARCHAR, transaction_count BIGINT, payment_cents BIGINT, refund_cents BIGINT, fee_cents BIGINT, withheld_cents BIGINT, transactions STRUCT(payment_guid UUID, refund BOOLEAN, paid_at BIGINT, paid_local BIGINT)[], until_load BIGINT, until_at BIGINT, facts_digest UUID, modified_nanos INTEGER DEFAULT(0));

CREATE TABLE past_shifts(restaurant_id INTEGER NOT NULL, entry_guid UUID NOT NULL, business_date INTEGER NOT NULL, in_at BIGINT NOT NULL, out_at BIGINT, modified_at BIGINT NOT NULL, load_id BIGINT NOT NULL, deleted BOOLEAN NOT NULL, job_guid VARCHAR, hourly BOOLEAN NOT NULL, micro_hours BIGINT NOT NULL, pay_cents BIGINT NOT NULL, by_hour STRUCT("hour" TINYINT, micro_hours BIGINT, pay_cents BIGINT)[] NOT NULL, until_load BIGINT NOT NULL, until_at BIGINT NOT NULL, employee_guid VARCHAR, employee_first VARCHAR, employee_last VARCHAR, employee_chosen VARCHAR, job_title VARCHAR, job_code VARCHAR, overtime_micro BIGINT DEFAULT(0), overtime_cents BIGINT DEFAULT(0), facts_digest UUID, modified_nanos INTEGER DEFAULT(0));

CREATE TABLE refunds(restaurant_id INTEGER NOT NULL, order_guid UUID NOT NULL, check_guid UUID NOT NULL, business_date INTEGER NOT NULL, order_date INTEGER NOT NULL, business_hour TINYINT NOT NULL, opened_at BIGINT NOT NULL, load_id BIGINT NOT NULL, order_number BIGINT, check_number BIGINT, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, "source" VARCHAR, modifier BOOLEAN, item_guid VARCHAR, item_name VARCHAR, group_guid VARCHAR, group_name VARCHAR, menu_guid VARCHAR, menu_name VARCHAR, refund_cents BIGINT NOT NULL);

CREATE VIEW repeated_menu_sheets AS (SELECT * FROM menu_repeats) UNION ALL BY NAME (SELECT restaurant_id, business_date, modifier, item_guid, item_name FROM all_menu_sheets SEMI JOIN new_menu_sheets USING (restaurant_id, business_date));

CREATE MACRO rounded(dividend, divisor) AS (sign(dividend) * (((2 * abs(dividend)) + divisor) // (2 * divisor)));

CREATE TABLE schema_version("version" INTEGER NOT NULL);

CREATE TABLE settlements(restaurant_id INTEGER NOT NULL, settlement_guid UUID NOT NULL, settled_date INTEGER NOT NULL, modified_at BIGINT NOT NULL, load_id BIGINT NOT NULL, deleted BOOLEAN NOT NULL, status VARCHAR NOT NULL, transaction_count BIGINT NOT NULL, payment_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL, fee_cents BIGINT NOT NULL, withheld_cents BIGINT NOT NULL, transactions STRUCT(payment_guid UUID, refund BOOLEAN, paid_at BIGINT, paid_local BIGINT)[] NOT NULL, facts_digest UUID, modified_nanos INTEGER DEFAULT(0));

CREATE TABLE sheets(restaurant_id INTEGER NOT NULL, business_date INTEGER NOT NULL, dining_guid VARCHAR, dining_name VARCHAR, revenue_guid VARCHAR, revenue_name VARCHAR, "source" VARCHAR, kept BIGINT NOT NULL, guests BIGINT NOT NULL, orders BIGINT NOT NULL, open_orders BIGINT NOT NULL, void_orders BIGINT NOT NULL, discount_orders BIGINT NOT NULL, void_cents BIGINT NOT NULL, gross_cents BIGINT NOT NULL, discount_cents BIGINT NOT NULL, refund_cents BIGINT NOT NULL);

CREATE TABLE shifts(restaurant_id INTEGER NOT NULL, entry_guid UUID NOT NULL, business_date INTEGER NOT NULL, in_at BIGINT NOT NULL, out_at BIGINT, modified_at BIGINT NOT NULL, load_id BIGINT NOT NULL, deleted BOOLEAN NOT NULL, job_guid VARCHAR, hourly BOOLEAN NOT NULL, micro_hours BIGINT NOT NULL, pay_cents BIGINT NOT NULL, by_hour STRUCT("hour" TINYINT, micro_hours BIGINT, pay_cents BIGINT)[] NOT NULL, employee_guid VARCHAR, employee_first VARCHAR, employee_last VARCHAR, employee_chosen VARCHAR, job_title VARCHAR, job_code VARCHAR, overtime_micro BIGINT DEFAULT(0), overtime_cents BIGINT DEFAULT(0), facts_digest UUID, modified_nanos INTEGER DEFAULT(0));

CREATE MACRO version_at(modified_at, modified_nanos) AS ((CAST(modified_at AS HUGEINT) * 1000000) + COALESCE(modified_nanos, 0));
