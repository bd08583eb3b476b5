-- One row per list held. Means of the top and ranks are of players not known to be inactive; ties at a cut are
-- not expanded. Counts of the whole list are given for complete lists only.
with
lists as (
    select * from staging.held_lists
),

counts as (
    select
        list_key,
        rating,
        sum(player_count) as all_players,
        sum(player_count) filter (where active) as active_players,
        coalesce(sum(player_count) filter (where active is not false), 0) as ranked_players
    from intermediate.rating_counts
    group by list_key, rating
),

cumulated as (
    select
        *,
        sum(ranked_players) over higher - ranked_players as ranked_above,
        sum(all_players) over (partition by list_key order by rating) as listed_up_to,
        sum(all_players) over (partition by list_key) as listed
    from counts
    window higher as (partition by list_key order by rating desc)
),

tops as (
    select
        list_key,
        sum(rating * greatest(0, least(ranked_players, 10 - ranked_above))) / 10.0 as mean_top_10,
        sum(rating * greatest(0, least(ranked_players, 20 - ranked_above))) / 20.0 as mean_top_20,
        sum(rating * greatest(0, least(ranked_players, 50 - ranked_above))) / 50.0 as mean_top_50,
        sum(rating * greatest(0, least(ranked_players, 100 - ranked_above))) / 100.0 as mean_top_100,
        max(rating) filter (where ranked_players > 0) as rating_rank_1,
        max(rating) filter (where ranked_above + ranked_players >= 2 and ranked_players > 0) as rating_rank_2,
        max(rating) filter (where ranked_above + ranked_players >= 10) as rating_rank_10,
        max(rating) filter (where ranked_above + ranked_players >= 20) as rating_rank_20,
        max(rating) filter (where ranked_above + ranked_players >= 50) as rating_rank_50,
        max(rating) filter (where ranked_above + ranked_players >= 100) as rating_rank_100,
        sum(ranked_players) as ranked_count
    from cumulated
    group by list_key
),

quartiles as (
    select
        list_key,
        min(rating) filter (where listed_up_to >= 0.25 * listed) as q1_rating,
        (
            min(rating) filter (where listed_up_to >= 0.5 * listed)
            + min(rating) filter (where listed_up_to >= floor(listed / 2) + 1)
        ) / 2.0 as median_rating,
        min(rating) filter (where listed_up_to >= 0.75 * listed) as q3_rating
    from cumulated
    group by list_key
),

totals as (
    select
        list_key,
        sum(player_count) as player_count,
        sum(player_count) filter (where active) as active_count,
        sum(women_count) as women_count,
        sum(played_count) as played_count,
        min(rating) as min_rating,
        sum(rating * player_count) / sum(player_count) as mean_rating,
        coalesce(sum(player_count) filter (where rating >= 2500), 0) as count_ge_2500,
        coalesce(sum(player_count) filter (where rating >= 2600), 0) as count_ge_2600,
        coalesce(sum(player_count) filter (where rating >= 2700), 0) as count_ge_2700,
        coalesce(sum(player_count) filter (where rating >= 2800), 0) as count_ge_2800,
        coalesce(sum(player_count) filter (where rating >= 2500 and active is not false), 0) as active_ge_2500,
        coalesce(sum(player_count) filter (where rating >= 2600 and active is not false), 0) as active_ge_2600,
        coalesce(sum(player_count) filter (where rating >= 2700 and active is not false), 0) as active_ge_2700,
        coalesce(sum(player_count) filter (where rating >= 2800 and active is not false), 0) as active_ge_2800,
        sum(gm_count) as gm_count,
        sum(im_count) as im_count,
        sum(fm_count) as fm_count
    from intermediate.rating_counts
    group by list_key
),

federations as (
    select list_key, count(distinct federation) as federation_count
    from intermediate.attribute_counts
    group by list_key
),

-- Only complete lists tell who came and who went; the previous complete list is the one compared with.
complete_lists as (
    select
        list_key,
        lag(list_key) over (partition by publisher, rating_type order by list_date) as previous_list_key
    from lists
    where coverage = 'complete'
),

newcomers as (
    select first_list_key as list_key, count(*) as newcomers
    from intermediate.player_spans
    group by first_list_key
),

leavers as (
    select complete_lists.list_key, count(*) as leavers
    from complete_lists
    inner join intermediate.player_spans as spans on spans.last_list_key = complete_lists.previous_list_key
    group by complete_lists.list_key
),

editions as (
    select list_key, edition_rows, duplicate_rows, unrated_rows
    from core.editions
    where is_current
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    lists.coverage,
    lists.activity_basis,
    editions.edition_rows as rows_count,
    (editions.edition_rows - editions.duplicate_rows)::integer as player_count,
    totals.player_count::integer as rated_count,
    case when lists.activity_basis = 'flag' then totals.active_count::integer end as active_count,
    case when features.states_sex then totals.women_count::integer end as women_count,
    federations.federation_count::integer as federation_count,
    case when lists.coverage = 'complete' and features.states_games then totals.played_count::integer end as played_count,
    totals.min_rating,
    case when lists.coverage = 'complete' then totals.mean_rating end as mean_rating,
    case when lists.coverage = 'complete' then quartiles.median_rating end as median_rating,
    case when lists.coverage = 'complete' then quartiles.q1_rating end as q1_rating,
    case when lists.coverage = 'complete' then quartiles.q3_rating end as q3_rating,
    case when tops.ranked_count >= 10 then tops.mean_top_10 end as mean_top_10,
    case when tops.ranked_count >= 20 then tops.mean_top_20 end as mean_top_20,
    case when tops.ranked_count >= 50 then tops.mean_top_50 end as mean_top_50,
    case when tops.ranked_count >= 100 then tops.mean_top_100 end as mean_top_100,
    case when tops.ranked_count >= 50 then (tops.mean_top_50 * 50 - tops.mean_top_10 * 10) / 40 end as mean_ranks_11_50,
    tops.rating_rank_1,
    tops.rating_rank_2,
    tops.rating_rank_10,
    tops.rating_rank_20,
    tops.rating_rank_50,
    tops.rating_rank_100,
    (tops.rating_rank_1 - tops.rating_rank_2)::smallint as gap_1_2,
    case when lists.coverage = 'complete' then totals.count_ge_2500::integer end as count_ge_2500,
    case when lists.coverage = 'complete' then totals.count_ge_2600::integer end as count_ge_2600,
    case when lists.coverage = 'complete' or totals.min_rating < 2700 then totals.count_ge_2700::integer end
        as count_ge_2700,
    case when lists.coverage = 'complete' or totals.min_rating < 2800 then totals.count_ge_2800::integer end
        as count_ge_2800,
    case when lists.coverage = 'complete' then totals.active_ge_2500::integer end as active_ge_2500,
    case when lists.coverage = 'complete' then totals.active_ge_2600::integer end as active_ge_2600,
    case when lists.coverage = 'complete' or totals.min_rating < 2700 then totals.active_ge_2700::integer end
        as active_ge_2700,
    case when lists.coverage = 'complete' or totals.min_rating < 2800 then totals.active_ge_2800::integer end
        as active_ge_2800,
    case when lists.coverage = 'complete' and features.states_titles then totals.gm_count::integer end as gm_count,
    case when lists.coverage = 'complete' and features.states_titles then totals.im_count::integer end as im_count,
    case when lists.coverage = 'complete' and features.states_titles then totals.fm_count::integer end as fm_count,
    case when complete_lists.previous_list_key is not null then coalesce(newcomers.newcomers, 0)::integer end
        as newcomers,
    case when complete_lists.previous_list_key is not null then coalesce(leavers.leavers, 0)::integer end as leavers,
    format('{:016x}-{}', digests.combined_hash, digests.rated_count) as ratings_digest
from lists
inner join editions on editions.list_key = lists.list_key
inner join intermediate.list_features as features on features.list_key = lists.list_key
inner join intermediate.rating_digests as digests on digests.list_key = lists.list_key
inner join totals on totals.list_key = lists.list_key
inner join tops on tops.list_key = lists.list_key
inner join quartiles on quartiles.list_key = lists.list_key
inner join federations on federations.list_key = lists.list_key
left join complete_lists on complete_lists.list_key = lists.list_key
left join newcomers on newcomers.list_key = lists.list_key
left join leavers on leavers.list_key = lists.list_key
