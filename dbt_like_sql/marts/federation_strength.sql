-- Strength of federations on complete lists: means of the first ten and five, size, median, titles.
with
lists as (
    select
        lists.list_key, lists.publisher, lists.rating_type, lists.list_date, features.states_sex,
        features.states_titles, basis.federation_basis
    from staging.held_lists as lists
    inner join intermediate.list_features as features on features.list_key = lists.list_key
    inner join intermediate.federation_basis as basis on basis.list_key = lists.list_key
    where lists.coverage = 'complete'
),

attributes as materialized (
    select
        list_key,
        federation,
        sum(player_count) as player_count,
        sum(rated_count) filter (where active is not false) as ranked_total,
        sum(player_count) filter (where sex = 'F') as women_count,
        sum(player_count) filter (where title is not null) as titled_count,
        sum(player_count) filter (where title = 'GM') as gm_count
    from intermediate.attribute_counts
    where federation is not null
    group by list_key, federation
),

-- The k-th player has the lowest rating whose rank is k or better.
kth as (
    select
        list_key,
        federation,
        unnest(range(1, 11)) as k,
        unnest([
            min(rating) filter (where federation_rank <= 1), min(rating) filter (where federation_rank <= 2),
            min(rating) filter (where federation_rank <= 3), min(rating) filter (where federation_rank <= 4),
            min(rating) filter (where federation_rank <= 5), min(rating) filter (where federation_rank <= 6),
            min(rating) filter (where federation_rank <= 7), min(rating) filter (where federation_rank <= 8),
            min(rating) filter (where federation_rank <= 9), min(rating) filter (where federation_rank <= 10)
        ]) as rating
    from intermediate.federation_ranks
    where federation_rank <= 10
    group by list_key, federation
),

tops as (
    select
        list_key,
        federation,
        avg(rating) as mean_top_10,
        avg(rating) filter (where k <= 5) as mean_top_5,
        max(rating) as best_rating
    from kth
    group by list_key, federation
),

-- The middle player; of an even number the mean of the two in the middle.
medians as (
    select
        ranks.list_key,
        ranks.federation,
        (
            min(ranks.rating) filter (where ranks.federation_rank <= attributes.ranked_total // 2 + 1)
            + min(ranks.rating) filter (where ranks.federation_rank <= (attributes.ranked_total + 1) // 2)
        ) / 2.0 as median_rating
    from intermediate.federation_ranks as ranks
    inner join attributes on attributes.list_key = ranks.list_key and attributes.federation = ranks.federation
    group by ranks.list_key, ranks.federation
),

strengths as (
    select
        tops.list_key,
        tops.federation,
        attributes.ranked_total as ranked_count,
        tops.mean_top_10,
        tops.mean_top_5,
        tops.best_rating,
        medians.median_rating,
        attributes.player_count,
        attributes.women_count,
        attributes.titled_count,
        attributes.gm_count
    from tops
    inner join medians on medians.list_key = tops.list_key and medians.federation = tops.federation
    inner join attributes on attributes.list_key = tops.list_key and attributes.federation = tops.federation
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    strengths.federation,
    case when strengths.ranked_count >= 10 then strengths.mean_top_10 end as mean_top_10,
    case when strengths.ranked_count >= 5 then strengths.mean_top_5 end as mean_top_5,
    case
        when strengths.ranked_count >= 10
            then (rank() over (
                partition by strengths.list_key
                order by case when strengths.ranked_count >= 10 then strengths.mean_top_10 end desc nulls last
            ))::integer
    end as strength_rank,
    strengths.best_rating,
    strengths.median_rating,
    strengths.player_count::integer as player_count,
    strengths.ranked_count::integer as ranked_count,
    case when lists.states_sex then coalesce(strengths.women_count, 0)::integer end as women_count,
    case when lists.states_titles then coalesce(strengths.titled_count, 0)::integer end as titled_count,
    case when lists.states_titles then coalesce(strengths.gm_count, 0)::integer end as gm_count,
    lists.federation_basis
from strengths
inner join lists on lists.list_key = strengths.list_key
