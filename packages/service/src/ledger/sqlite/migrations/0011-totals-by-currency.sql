-- Control totals become a list with an entry a currency: [{"currencyCode":…,"sums":{…}}]. Those of earlier reports are kept
-- where all their restaurants have one currency. Where they have several, amounts of different currencies were added up:
-- such totals are dropped, as of a report made before there were any. The rows of these reports are not touched.
update report_request
   set totals = (
         select case when count(distinct coalesce(r.currency_code, '')) <= 1
                     then json_array(json_object('currencyCode', max(r.currency_code), 'sums', json(report_request.totals)))
                end
           from json_each(report_request.plan, '$.restaurantIds') as planned
           join restaurant r on r.id = planned.value
       )
 where totals is not null;
