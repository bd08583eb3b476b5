-- Holders of each title on each complete list that prints titles, in the world and by federation.
with
lists as (
    select
        lists.list_key, lists.publisher, lists.rating_type, lists.list_date, lists.activity_basis,
        features.states_sex
    from staging.held_lists as lists
    inner join intermediate.list_features as features on features.list_key = lists.list_key
    where lists.coverage = 'complete' and features.states_titles
),

counts as (
    select
        attributes.list_key,
        attributes.federation,
        attributes.title,
        sum(attributes.player_count) as player_count,
        sum(attributes.player_count) filter (where attributes.active) as active_count,
        sum(attributes.player_count) filter (where attributes.sex = 'F') as women_count,
        sum(attributes.rating_sum) as rating_sum,
        sum(attributes.rated_count) as rated_count
    from intermediate.attribute_counts as attributes
    inner join lists on lists.list_key = attributes.list_key
    where attributes.title is not null
    group by grouping sets (
        (attributes.list_key, attributes.title),
        (attributes.list_key, attributes.title, attributes.federation)
    )
    -- Players without a code would look like the world.
    having grouping(attributes.federation) = 1 or attributes.federation is not null
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    coalesce(counts.federation, 'all') as federation,
    counts.title,
    counts.player_count::integer as player_count,
    case when lists.activity_basis = 'flag' then coalesce(counts.active_count, 0)::integer end as active_count,
    case when lists.states_sex then coalesce(counts.women_count, 0)::integer end as women_count,
    counts.rating_sum / nullif(counts.rated_count, 0) as mean_rating
from counts
inner join lists on lists.list_key = counts.list_key
