-- The first hundred of each list, in numbers. Ranks are looked up first, so that only the top entries are widened.
with
lists as (
    select list_key, previous_list_key
    from staging.held_lists
),

ranks as (
    select list_key, rating, world_rank
    from intermediate.rating_ranks
    where ranked_count > 0 and world_rank <= 100
),

-- The lowest cut of all lists leaves few entries to the joins.
candidates as (
    select
        entries.list_key,
        entries.player_id,
        entries.version_key,
        coalesce(disputed.rating, entries.rating) as rating,
        entries.games,
        coalesce(disputed.source_key, entries.source_key) as source_key,
        coalesce(disputed.line_number, entries.line_number) as line_number,
        disputed.contradicted_by
    from core.entries as entries
    left join intermediate.disputed_ratings as disputed
        on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
    where
        entries.active is not false
        and entries.rating >= least(
            (select min(rating) from ranks), (select min(printed_rating) from intermediate.disputed_ratings)
        )
),

leaders as materialized (
    select
        candidates.list_key,
        lists.previous_list_key,
        candidates.player_id,
        candidates.version_key,
        ranks.world_rank,
        candidates.rating,
        candidates.games,
        candidates.contradicted_by,
        candidates.source_key,
        candidates.line_number
    from candidates
    inner join ranks on ranks.list_key = candidates.list_key and ranks.rating = candidates.rating
    inner join lists on lists.list_key = candidates.list_key
),

-- Whoever is in the first hundred may have been anywhere on the list before, or flagged inactive.
histories as (
    select
        entries.list_key,
        entries.player_id,
        coalesce(disputed.rating, entries.rating) as rating,
        entries.active
    from core.entries as entries
    left join intermediate.disputed_ratings as disputed
        on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
    where entries.player_id in (select player_id from leaders)
),

previous as (
    select histories.list_key, histories.player_id, histories.rating, histories.active, ranks.world_rank
    from histories
    inner join intermediate.rating_ranks as ranks
        on ranks.list_key = histories.list_key and ranks.rating = histories.rating
)

select
    leaders.list_key,
    leaders.player_id,
    leaders.version_key,
    leaders.world_rank,
    leaders.rating,
    (leaders.rating - previous.rating)::smallint as change_since_previous_list,
    case when previous.active is not false then previous.world_rank end as previous_world_rank,
    leaders.games,
    leaders.contradicted_by,
    leaders.source_key,
    leaders.line_number
from leaders
left join previous
    on previous.list_key = leaders.previous_list_key and previous.player_id = leaders.player_id
