-- Claims reports in turn, in one call: `claims.ts` says why. Up to most_short reports for the short lane, as long as those before cost
-- less than ms_short together, then the same for the long lane, which takes both. A report that another worker's service queued after
-- left_until is left to that worker. The lock is taken only if there is something to claim, because every service asks this every second.
create function claim_reports(
  lock_space integer, lock_id integer, claimer text, asked_at bigint, left_until bigint, leased_until bigint,
  most_short bigint, ms_short bigint, most_long bigint, ms_long bigint
) returns table (claimed_for text, claimed report_request) language plpgsql as $$
declare
  waiting_short bigint;
  waiting bigint;
  most bigint;
  ms bigint;
begin
  select coalesce(sum(counted.reports) filter (where counted.lane = 'short'), 0), coalesce(sum(counted.reports), 0)
    into waiting_short, waiting
    from (
           select turn.lane,
                  (
                    select count(*)
                      from (
                             select 1
                               from report_request as queued
                              where state = 'queued' and management_group = turn.management_group and lane = turn.lane
                                and expires_at > asked_at
                                and (queued_at <= left_until or not exists (
                                      select from report_owner where report_guid = queued.guid and worker <> claimer
                                    ))
                              limit most_short + most_long
                           ) as candidate
                  ) as reports
             from report_turn as turn
         ) as counted;
  most_short := case when ms_short > 0 then least(most_short, waiting_short) else 0 end;
  most_long := case when ms_long > 0 then most_long else 0 end;
  if most_short <= 0 and (most_long <= 0 or waiting = 0) then return; end if;

  -- Whose turn it is depends on all claims before: of those at once, each waits for the one before it. Each statement below sees what
  -- they committed.
  perform pg_advisory_xact_lock(lock_space, lock_id);
  foreach claimed_for in array array['short', 'long'] loop
    most := case claimed_for when 'short' then most_short else least(most_long, waiting) end;
    ms := case claimed_for when 'short' then ms_short else ms_long end;
    while most > 0 and ms > 0 loop
      -- The group with the fewest reports gathering comes first, then the one longest without a turn; within a group, the oldest report.
      -- Each lane of a group counts separately, so short reports cannot use up the turns of long ones.
      with next as (
        select guid
          from report_request
          join (
                 select turn.taken,
                        (
                          select count(*) from report_request
                           where state = 'gathering' and management_group = turn.management_group and lane = turn.lane
                        ) as gathering,
                        (
                          select guid from report_request
                           where state = 'queued' and management_group = turn.management_group and lane = turn.lane
                             and expires_at > asked_at
                             and (queued_at <= left_until or not exists (
                                   select from report_owner where report_guid = report_request.guid and worker <> claimer
                                 ))
                           order by queued_at, seq
                           limit 1
                        ) as guid
                   from report_turn as turn
                  where turn.lane = 'short' or claimed_for = 'long'
               ) as candidate using (guid)
         order by gathering, taken, queued_at, report_request.seq
         limit 1
      ), chosen as (
        update report_request
           set state = 'gathering', attempt = attempt + 1, worker = claimer, lease_until = leased_until
         where guid = (select guid from next) and state = 'queued'
        returning *
      ), turn as (
        update report_turn
           set taken = (select max(taken) + 1 from report_turn)
          from chosen
         where report_turn.management_group = chosen.management_group and report_turn.lane = chosen.lane
      ), disowned as (
        -- A report that was claimed once, and is queued again, is left to nobody.
        delete from report_owner using chosen where report_guid = chosen.guid
      )
      select chosen.* into claimed from chosen;
      exit when not found;
      return next;
      most := most - 1;
      waiting := waiting - 1;
      ms := ms - claimed.cost;
    end loop;
  end loop;
end
$$;
